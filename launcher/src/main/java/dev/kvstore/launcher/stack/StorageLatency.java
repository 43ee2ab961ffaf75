package dev.kvstore.launcher.stack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time by which calls to a stack's storage take longer.
 *
 * @param get the time for each read, 0 to 1 min
 * @param put the time for each write, 0 to 1 min
 */
public record StorageLatency(Duration get, Duration put) {
    /** No added latency. */
    public static final StorageLatency NONE = new StorageLatency(Duration.ZERO, Duration.ZERO);

    private static final Pattern PART = Pattern.compile("(get|put)=(\\d{1,9})(ms|s)");
    private static final Duration MOST = Duration.ofMinutes(1);

    /**
     * Reads a flag.
     *
     * @param text such as {@code get=20ms,put=40ms}, or one of the two; empty for none
     * @throws IllegalArgumentException if the text has another form; the message names the flag
     */
    public static StorageLatency parse(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        Map<String, Duration> given = new HashMap<>();
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            if (!matcher.matches() || given.put(matcher.group(1), time(matcher)) != null) {
                throw unusable(text);
            }
        }
        StorageLatency latency =
                new StorageLatency(given.getOrDefault("get", Duration.ZERO), given.getOrDefault("put", Duration.ZERO));
        if (latency.get.compareTo(MOST) > 0 || latency.put.compareTo(MOST) > 0) {
            throw unusable(text);
        }
        return latency;
    }

    private static Duration time(Matcher part) {
        long number = Long.parseLong(part.group(2));
        return part.group(3).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
    }

    private static IllegalArgumentException unusable(String text) {
        return new IllegalArgumentException("--added-storage-latency: cannot be \"" + text
                + "\"; give one or both of get and put, each 0ms to 60s, as in get=20ms,put=40ms");
    }

    /** The settings of this latency for a data plane. */
    Map<String, String> settings() {
        return equals(NONE) ? Map.of() : Map.of("KVSTORE_ADDED_STORAGE_LATENCY", toString());
    }

    /** The text on the command line; empty for none. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (!get.isZero()) {
            parts.add("get=" + get.toMillis() + "ms");
        }
        if (!put.isZero()) {
            parts.add("put=" + put.toMillis() + "ms");
        }
        return String.join(",", parts);
    }
}
