package dev.kvstore.dataplane.server.settings;

import dev.kvstore.dataplane.storage.http.HttpProxy;
import dev.kvstore.listener.BalancerAddresses;
import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values that an operator may give a setting. Immutable.
 *
 * @param name of the setting, as {@code kvstore.memory-tier-size}
 * @param type of the values, in a word
 * @param reader throws {@link IllegalArgumentException} on a text that is no such value
 * @param form the form of a value, for people
 */
public record SettingRange<T extends Comparable<T>>(
        String name, String type, Function<String, T> reader, String form, String least, String most) {
    /** Every setting that is neither a flag alone nor a path. */
    public static final List<SettingRange<?>> ALL = DeclaredSettings.ranges();

    static SettingRange<BigInteger> size(String name, String least, String most) {
        return new SettingRange<>(
                name,
                "size",
                text -> new MemorySizeConverter().convert(text).asBigInteger(),
                "a size such as 512M",
                least,
                most);
    }

    static SettingRange<Duration> time(String name, String least, String most) {
        return new SettingRange<>(name, "time", new DurationConverter()::convert, "a time such as 30s", least, most);
    }

    static SettingRange<BigInteger> count(String name, String least, String most) {
        return new SettingRange<>(name, "number", BigInteger::new, "a number", least, most);
    }

    /** A range of added latencies, which are compared by the longer of the two. */
    static SettingRange<Duration> latency(String name, String least, String most) {
        return new SettingRange<>(
                name,
                "times",
                text -> StorageLatency.read(text).longest(),
                "one or both, as in get=20ms,put=40ms",
                least,
                most);
    }

    static SettingRange<String> choice(String name, String least, String most) {
        return new SettingRange<>(
                name,
                "version",
                text -> {
                    if (text.equals(least) || text.equals(most)) {
                        return text;
                    }
                    throw new IllegalArgumentException(text);
                },
                least + " or " + most,
                least,
                most);
    }

    /** A list of addresses. */
    static SettingRange<String> networks(String name) {
        return unordered(
                name, "addresses", BalancerAddresses::of, BalancerAddresses.SHAPE, BalancerAddresses.NO_ADDRESS);
    }

    /** A proxy. */
    static SettingRange<String> proxy(String name) {
        return unordered(name, "address", HttpProxy::of, HttpProxy.SHAPE, HttpProxy.EXAMPLE);
    }

    /**
     * Values of which none is the least or the most.
     *
     * @param reader throws {@link IllegalArgumentException} on a text that is no such value
     * @param example a value
     */
    private static SettingRange<String> unordered(
            String name, String type, Function<String, ?> reader, String form, String example) {
        return new SettingRange<>(
                name,
                type,
                text -> {
                    var _ = reader.apply(text);
                    return "";
                },
                form,
                example,
                example);
    }

    /** The range, for people; empty if it has no ends. */
    String span() {
        return least.equals(most) ? "" : least + " to " + most;
    }

    /** The flaw of a value, with the values that would be right; null if the value can be used. */
    @Nullable
    String flaw(String given) {
        if (given.isBlank()) {
            return name + ": must not be empty; give " + form;
        }
        T value;
        try {
            value = reader.apply(given.strip());
        } catch (IllegalArgumentException | ArithmeticException e) {
            return "%s: cannot be \"%s\"; give %s".formatted(name, given, form);
        }
        return value.compareTo(reader.apply(least)) < 0 || value.compareTo(reader.apply(most)) > 0
                ? "%s: must be %s to %s, not %s".formatted(name, least, most, given)
                : null;
    }
}
