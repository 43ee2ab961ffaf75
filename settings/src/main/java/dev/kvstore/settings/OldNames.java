package dev.kvstore.settings;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Old names of settings, each with the present name. Immutable.
 *
 * @param names the present names by the old ones, such as {@code kvstore.memory-tier-size} by {@code kvstore.dram}
 */
public record OldNames(Map<String, String> names) {
    /** The version that refuses every old name. */
    public static final String REFUSED_FROM = "0.3";

    /** The old names of the data plane's settings. */
    public static final OldNames DATA_PLANE = new OldNames(Map.ofEntries(
            Map.entry("kvstore.dram", "kvstore.memory-tier-size"),
            Map.entry("kvstore.disk", "kvstore.disk-tier-size"),
            Map.entry("kvstore.disk-path", "kvstore.disk-tier-path"),
            Map.entry("kvstore.transfer", "kvstore.transfer-memory"),
            Map.entry("kvstore.inbound", "kvstore.inbound-memory"),
            Map.entry("kvstore.unary-send", "kvstore.unread-response-memory"),
            Map.entry("kvstore.operations", "kvstore.max-operations"),
            Map.entry("kvstore.lookups", "kvstore.max-lookups"),
            Map.entry("kvstore.silent-calls", "kvstore.max-idle-calls"),
            Map.entry("kvstore.connections", "kvstore.max-connections"),
            Map.entry("kvstore.stream-prefetch", "kvstore.stream-prefetch-memory"),
            Map.entry("kvstore.patience", "kvstore.memory-wait-timeout"),
            Map.entry("kvstore.stall", "kvstore.client-stall-timeout"),
            Map.entry("kvstore.verified-blocks", "kvstore.max-verified-blocks"),
            Map.entry("kvstore.presence", "kvstore.presence-filter-memory"),
            Map.entry("kvstore.window", "kvstore.flow-control-window"),
            Map.entry("kvstore.streams-per-connection", "kvstore.max-calls-per-connection"),
            Map.entry("kvstore.keepalive", "kvstore.keepalive-interval"),
            Map.entry("kvstore.drain-grace", "kvstore.drain-grace-period"),
            Map.entry("kvstore.drain-time", "kvstore.drain-timeout"),
            Map.entry("kvstore.bandwidth", "kvstore.network-bandwidth"),
            Map.entry("kvstore.storage-connections", "kvstore.max-storage-connections"),
            Map.entry("kvstore.storage-latency", "kvstore.added-storage-latency"),
            Map.entry("kvstore.region-latency", "kvstore.added-region-latency"),
            Map.entry("kvstore.tls-minimum", "kvstore.tls-min-version"),
            Map.entry("kvstore.tls-reload", "kvstore.tls-reload-interval")));

    /** The old names of the control plane's settings. */
    public static final OldNames CONTROL_PLANE = new OldNames(Map.of(
            "kvstore.quota.accounts", "kvstore.max-accounts-per-tenant",
            "kvstore.quota.keys", "kvstore.max-keys-per-tenant",
            "kvstore.quota.grants", "kvstore.max-grants-per-account"));

    public OldNames {
        names = Map.copyOf(names);
    }

    /** A source of settings. */
    @FunctionalInterface
    public interface SettingSource {
        /** Finds the value under exactly this name; null if there is none. */
        @Nullable
        GivenValue find(String name);
    }

    /**
     * The value that a user gave to a setting.
     *
     * @param spelling the form of the setting's name beside the value, for messages
     */
    public record GivenValue(String value, String spelling) {
        /** A value under the setting's own name, such as {@code -Dkvstore.dram=4G}. */
        public static GivenValue property(String name, String value) {
            return new GivenValue(value, name);
        }

        /** A value of an environment variable. */
        public static GivenValue variable(String name, String value) {
            return new GivenValue(value, OldNames.variable(name));
        }
    }

    /**
     * The values that are given under old names, by the new names.
     *
     * @param warning gets each old name once, with the new one
     * @throws IllegalArgumentException if a setting has two values, one under each name
     */
    public Map<String, String> accept(SettingSource given, Consumer<String> warning) {
        Map<String, String> accepted = new LinkedHashMap<>();
        names.keySet().stream().sorted().forEach(old -> {
            GivenValue value = given.find(old);
            if (value == null) {
                return;
            }
            String name = names.getOrDefault(old, old);
            String spelling = value.spelling().equals(old) ? name : variable(name);
            GivenValue other = given.find(name);
            if (other != null && !other.value().equals(value.value())) {
                throw new IllegalArgumentException("%s: is the old name of %s, which has another value; remove %s"
                        .formatted(value.spelling(), other.spelling(), value.spelling()));
            }
            warning.accept("%s is now called %s; version %s will refuse the old name"
                    .formatted(value.spelling(), spelling, REFUSED_FROM));
            accepted.put(name, value.value());
        });
        return accepted;
    }

    /** The environment variable of a setting. */
    public static String variable(String setting) {
        return setting.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
