package dev.kvstore.clusters.member;

import dev.kvstore.clusters.fleet.Capacity;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A process' own description of itself, as callers see it.
 *
 * @param program the version of the data plane
 * @param draining whether the process drains of its own accord
 */
public record MemberView(
        String instance,
        String remoteAddress,
        String program,
        boolean draining,
        Instant joinedAt,
        Instant heardAt,
        Instant leaseEndsAt,
        Capacity capacity,
        Load load) {
    /**
     * The load in the process' last heartbeat; see {@link dev.kvstore.clusters.fleet.Load}.
     *
     * @param latencyP50Millis null if no call ended
     * @param latencyP99Millis null if no call ended
     */
    public record Load(
            long bytesPerSecond,
            int operations,
            int streams,
            double cpu,
            double memory,
            double memoryTier,
            double diskTier,
            @Nullable Double latencyP50Millis,
            @Nullable Double latencyP99Millis,
            double rejectedPerSecond) {
        private static final double NANOS = 1e6;

        public static Load of(dev.kvstore.clusters.fleet.Load load) {
            return new Load(
                    load.bytesPerSecond(),
                    load.operations(),
                    load.streams(),
                    load.cpu(),
                    load.memory(),
                    load.memoryTier(),
                    load.diskTier(),
                    millis(load.latencyP50()),
                    millis(load.latencyP99()),
                    load.rejectedPerSecond());
        }

        private static @Nullable Double millis(@Nullable Duration time) {
            return time == null ? null : time.toNanos() / NANOS;
        }
    }
}
