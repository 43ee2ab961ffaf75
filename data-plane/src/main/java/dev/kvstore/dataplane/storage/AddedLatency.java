package dev.kvstore.dataplane.storage;

import java.time.Duration;

/**
 * The latency added to calls to storage, for trials.
 *
 * @param reads added to each call that asks for something, 0 or more
 * @param writes added to each call that changes something, 0 or more
 */
public record AddedLatency(Duration reads, Duration writes) {
    /** No added latency. */
    public static final AddedLatency NONE = new AddedLatency(Duration.ZERO, Duration.ZERO);

    /**
     * @throws IllegalArgumentException if a latency is negative
     */
    public AddedLatency {
        if (reads.isNegative() || writes.isNegative()) {
            throw new IllegalArgumentException("a latency below zero");
        }
    }

    public boolean isNone() {
        return reads.isZero() && writes.isZero();
    }

    /** The longer of the two latencies. */
    public Duration longest() {
        return reads.compareTo(writes) > 0 ? reads : writes;
    }
}
