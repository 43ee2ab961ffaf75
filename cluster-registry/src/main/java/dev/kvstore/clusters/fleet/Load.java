package dev.kvstore.clusters.fleet;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The load in a data plane's last heartbeat. Immutable.
 *
 * @param bytesPerSecond towards and from clients, together; 0 or more
 * @param operations calls that move blocks, under way; 0 or more
 * @param streams calls under way, 0 or more
 * @param cpu share of its CPUs in use, 0 to 1
 * @param memory share in use of the memory for blocks of calls under way, 0 to 1
 * @param memoryTier share filled, 0 to 1
 * @param diskTier share filled, 0 to 1
 * @param latencyP50 null if no call ended
 * @param latencyP99 null if no call ended
 * @param rejectedPerSecond calls turned away for lack of room; 0 or more
 */
public record Load(
        long bytesPerSecond,
        int operations,
        int streams,
        double cpu,
        double memory,
        double memoryTier,
        double diskTier,
        @Nullable Duration latencyP50,
        @Nullable Duration latencyP99,
        double rejectedPerSecond) {
    /** No load. */
    public static final Load NONE = new Load(0, 0, 0, 0, 0, 0, 0, null, null, 0);
}
