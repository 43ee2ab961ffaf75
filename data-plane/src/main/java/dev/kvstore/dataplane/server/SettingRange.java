package dev.kvstore.dataplane.server;

import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may give a setting. Immutable.
 *
 * @param name of the setting, as {@code kvstore.dram}
 * @param reader throws {@link IllegalArgumentException} on what is no such value
 * @param form for people: what a value looks like
 */
record SettingRange<T extends Comparable<T>>(
        String name, Function<String, T> reader, String form, String least, String most) {
    /** Every setting that is neither flag nor path. No size is so large that their sum would not fit a long. */
    static final List<SettingRange<?>> ALL = List.of(
            size("dram", "0", "1P"),
            // 0, or what LocalDisk says; most is what the index can address.
            size("disk", "0", "256T"),
            // Twice the longest block: half may be taken by blocks loaded ahead of it (Limits.sharedPrefetchBytes).
            size("transfer", "130M", "1P"),
            // The longest message (KvStoreMethods.MAX_MESSAGE_BYTES).
            size("inbound", "65M", "1P"),
            // The answer to the longest Lookup (Limits.LOOKUP_BLOCKS).
            size("unary-send", "16M", "1P"),
            count("operations", "1", "100000"),
            count("lookups", "1", "100000"),
            count("silent-calls", "1", "1000000"),
            count("connections", "1", "1000000"),
            // 0 loads one block after the other.
            size("stream-prefetch", "0", "1P"),
            // As many as have a port each on one local address, with room for others.
            count("storage-connections", "1", "10000"),
            time("dns-ttl", "1s", "1d"),
            time("patience", "1ms", "1d"),
            time("stall", "1s", "1d"),
            size("bandwidth", "0", "1P"),
            time("drain-grace", "0s", "1h"),
            time("drain-time", "0s", "1h"),
            count("verified-blocks", "0", "1000000000"),
            // Without room, what is learnt of a partition is forgotten at once, and learnt again by the next lookup.
            size("presence", "1M", "1T"),
            // From HTTP/2's own window to the most whole MiB that Netty takes.
            size("window", "64K", "2047M"),
            count("streams-per-connection", "1", "1000000"),
            time("keepalive", "1s", "1d"),
            // Beyond a minute every call has been given up.
            latency("storage-latency", "get=0s,put=0s", "get=1m,put=1m"),
            time("region-latency", "0ms", "1m"),
            choice("tls-minimum", "1.2", "1.3"),
            time("tls-reload", "1s", "1d"));

    /** Settings whose values have no range: paths. */
    static final Set<String> PATHS = Set.of("kvstore.disk-path", "kvstore.state-path", "kvstore.peer-ca");

    private static SettingRange<BigInteger> size(String name, String least, String most) {
        return new SettingRange<>(
                "kvstore." + name,
                text -> new MemorySizeConverter().convert(text).asBigInteger(),
                "a size such as 512M",
                least,
                most);
    }

    private static SettingRange<Duration> time(String name, String least, String most) {
        return new SettingRange<>(
                "kvstore." + name, new DurationConverter()::convert, "a time such as 30s", least, most);
    }

    private static SettingRange<BigInteger> count(String name, String least, String most) {
        return new SettingRange<>("kvstore." + name, BigInteger::new, "a number", least, most);
    }

    /** Compared by the longer one. */
    private static SettingRange<Duration> latency(String name, String least, String most) {
        return new SettingRange<>(
                "kvstore." + name,
                text -> StorageLatency.read(text).longest(),
                "one or both, as in get=20ms,put=40ms",
                least,
                most);
    }

    private static SettingRange<String> choice(String name, String least, String most) {
        return new SettingRange<>(
                "kvstore." + name,
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

    /** What is wrong with a value, and what would be right; null if it can be used. */
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
