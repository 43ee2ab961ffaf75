package dev.kvstore.settings;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The environment variables that the programs know. One file of variables may serve all programs: each skips variables
 * that another program knows, and over variables that Kubernetes adds. A variable that no program knows is a mistake,
 * and is refused. Stateless.
 */
public final class ProgramVariables {
    private static final String PREFIX = "KVSTORE_";

    /** The variables of a data plane; a test there compares them with its settings. */
    public static final Set<String> DATA_PLANE = Set.of(
            "KVSTORE_ADDED_REGION_LATENCY",
            "KVSTORE_ADDED_STORAGE_LATENCY",
            "KVSTORE_CLIENT_STALL_TIMEOUT",
            "KVSTORE_CONTROL_PLANE_CA",
            "KVSTORE_DISK_TIER_PATH",
            "KVSTORE_DISK_TIER_SIZE",
            "KVSTORE_DNS_TTL",
            "KVSTORE_DRAIN_GRACE_PERIOD",
            "KVSTORE_DRAIN_TIMEOUT",
            "KVSTORE_FLOW_CONTROL_WINDOW",
            "KVSTORE_INBOUND_MEMORY",
            "KVSTORE_JOIN_TOKEN",
            "KVSTORE_KEEPALIVE_INTERVAL",
            "KVSTORE_MAX_CALLS_PER_CONNECTION",
            "KVSTORE_MAX_CONNECTIONS",
            "KVSTORE_MAX_IDLE_CALLS",
            "KVSTORE_MAX_LOOKUPS",
            "KVSTORE_MAX_NEW_CONNECTIONS",
            "KVSTORE_MAX_OPERATIONS",
            "KVSTORE_MAX_ALL_STORAGE_CONNECTIONS",
            "KVSTORE_MAX_STORAGE_CONNECTIONS",
            "KVSTORE_MAX_VERIFIED_BLOCKS",
            "KVSTORE_MEMORY_TIER_SIZE",
            "KVSTORE_MEMORY_WAIT_TIMEOUT",
            "KVSTORE_NETWORK_BANDWIDTH",
            "KVSTORE_PEER_CA",
            "KVSTORE_PRESENCE_FILTER_MEMORY",
            "KVSTORE_PROXY_PROTOCOL_FROM",
            "KVSTORE_STATE_PATH",
            "KVSTORE_STORAGE_PROXY",
            "KVSTORE_STREAM_PREFETCH_MEMORY",
            "KVSTORE_TLS_CERT",
            "KVSTORE_TLS_CLIENT_CA",
            "KVSTORE_TLS_KEY",
            "KVSTORE_TLS_MIN_VERSION",
            "KVSTORE_TLS_RELOAD_INTERVAL",
            "KVSTORE_TRANSFER_MEMORY",
            "KVSTORE_UNREAD_RESPONSE_MEMORY");

    /** The variables of a control plane; a test there compares them with its settings. */
    public static final Set<String> CONTROL_PLANE = Set.of(
            "KVSTORE_ADMIN_TOKEN",
            "KVSTORE_DB_PASSWORD",
            "KVSTORE_DB_USER",
            "KVSTORE_JOIN_TOKEN",
            "KVSTORE_MAX_ACCOUNTS_PER_TENANT",
            "KVSTORE_MAX_CONNECTIONS",
            "KVSTORE_MAX_GRANTS_PER_ACCOUNT",
            "KVSTORE_MAX_KEYS_PER_TENANT",
            "KVSTORE_MAX_NEW_CONNECTIONS",
            "KVSTORE_MAX_PURGES_PER_TENANT",
            "KVSTORE_MAX_WARMINGS_PER_TENANT",
            "KVSTORE_OIDC_AUDIENCE",
            "KVSTORE_OIDC_ENABLED",
            "KVSTORE_OIDC_INSECURE",
            "KVSTORE_OIDC_ISSUER",
            "KVSTORE_OIDC_ROLES_CLAIM",
            "KVSTORE_OIDC_TENANT_CLAIM",
            "KVSTORE_OPEN_METRICS",
            "KVSTORE_PROXY_PROTOCOL_FROM",
            "KVSTORE_TLS_RELOAD_INTERVAL");

    /** The variables of {@code kv admin}. */
    private static final Set<String> ADMIN = Set.of("KVSTORE_ADMIN_TOKEN", "KVSTORE_URL");

    private ProgramVariables() {}

    /** The variables that look like settings but belong to no program, sorted by name. */
    public static List<String> unknown(Map<String, String> environment) {
        Set<String> known = known();
        Set<String> unknown = new TreeSet<>();
        environment.forEach((name, value) -> {
            String upper = name.toUpperCase(Locale.ROOT);
            if (upper.startsWith(PREFIX) && !known.contains(upper) && !ServiceLinks.isOne(name, value)) {
                unknown.add(name);
            }
        });
        return List.copyOf(unknown);
    }

    private static Set<String> known() {
        Set<String> known = new TreeSet<>(DATA_PLANE);
        known.addAll(CONTROL_PLANE);
        known.addAll(ADMIN);
        Stream.of(OldNames.DATA_PLANE, OldNames.CONTROL_PLANE)
                .flatMap(names -> names.names().keySet().stream())
                .map(OldNames::variable)
                .forEach(known::add);
        return known;
    }
}
