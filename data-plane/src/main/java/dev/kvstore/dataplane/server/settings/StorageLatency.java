package dev.kvstore.dataplane.server.settings;

import dev.kvstore.dataplane.storage.AddedLatency;
import io.quarkus.runtime.configuration.DurationConverter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The added latency that a setting names: {@code get=20ms,put=40ms}, or one of the two. Compared by the longer of the
 * two.
 */
public record StorageLatency(AddedLatency added) implements Comparable<StorageLatency> {
    /** The form of the setting's value, for an error. */
    static final String SHAPE = "one or both, as in get=20ms,put=40ms";

    private static final String READS = "get";
    private static final String WRITES = "put";

    /**
     * The latency that a text describes.
     *
     * @throws IllegalArgumentException if it says nothing, something twice, or something else
     */
    public static StorageLatency of(String text) {
        Map<String, Duration> given = new HashMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length != 2 || pair[1].isBlank() || !(pair[0].equals(READS) || pair[0].equals(WRITES))) {
                throw new IllegalArgumentException(part);
            }
            if (given.put(pair[0], new DurationConverter().convert(pair[1])) != null) {
                throw new IllegalArgumentException(part);
            }
        }
        return new StorageLatency(
                new AddedLatency(given.getOrDefault(READS, Duration.ZERO), given.getOrDefault(WRITES, Duration.ZERO)));
    }

    @Override
    public int compareTo(StorageLatency other) {
        return added.longest().compareTo(other.added.longest());
    }
}
