package dev.kvstore.dataplane.call;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Staggered retry delays: refused callers come back one after the other, at the pace at which slots become free. They
 * replace a queue on the server. For one thread at a time.
 */
final class RetryHint {
    /** The shortest delay; a shorter one is not worth a round trip. */
    static final Duration LEAST = Duration.ofMillis(20);

    /** The longest delay; how many callers wait beyond this cannot be estimated. */
    static final Duration MOST = Duration.ofSeconds(4);

    /** The part of a delay that is added at random, so that callers with the same delay do not return together. */
    private static final double SPREAD = 0.5;

    /** Calls over which the mean duration is taken, about. */
    private static final int MEMORY = 16;

    private final RandomGenerator random;
    private long meanNanos = LEAST.toNanos();
    private long nextTurn;

    /**
     * Delays while no caller waits.
     *
     * @param now nanoseconds of the clock that {@link #next} uses
     */
    RetryHint(RandomGenerator random, long now) {
        this.random = random;
        this.nextTurn = now;
    }

    /** A call held its slot for a time. */
    void ended(long nanos) {
        meanNanos += (nanos - meanNanos) / MEMORY;
    }

    /**
     * The delay for one more refused caller, {@link #LEAST} to 1.5 times {@link #MOST}.
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
