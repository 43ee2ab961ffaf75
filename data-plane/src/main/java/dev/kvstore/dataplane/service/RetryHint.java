package dev.kvstore.dataplane.service;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When callers that found no room should come back: one after the other, at the pace at which room appears, as if they
 * stood in a line that nobody has to keep. For one thread at a time.
 */
final class RetryHint {
    /** Less is not worth a round trip. */
    static final Duration LEAST = Duration.ofMillis(20);

    /** More than that, and a line says nothing of when it will be shorter. */
    static final Duration MOST = Duration.ofSeconds(4);

    /** The part of a delay that is added at random, so that those told the same do not return together. */
    private static final double SPREAD = 0.5;

    /** A running mean over about as many calls. */
    private static final int MEMORY = 16;

    private final RandomGenerator random;
    private long meanNanos = LEAST.toNanos();
    private long nextTurn;

    /**
     * A line that nobody stands in.
     *
     * @param now nanoseconds of the clock that {@link #next} is told
     */
    RetryHint(RandomGenerator random, long now) {
        this.random = random;
        this.nextTurn = now;
    }

    /** A call had its place for that long. */
    void ended(long nanos) {
        meanNanos += (nanos - meanNanos) / MEMORY;
    }

    /**
     * The delay for one more that comes back, {@link #LEAST} to one and a half times {@link #MOST}.
     *
     * @param places calls that run at the same time
     */
    Duration next(long now, int places) {
        long ahead = Math.max(meanNanos, nextTurn - now + meanNanos / places);
        long bounded = Math.clamp(ahead, LEAST.toNanos(), MOST.toNanos());
        nextTurn = now + bounded;
        return Duration.ofNanos(bounded + (long) (random.nextDouble() * SPREAD * bounded));
    }
}
