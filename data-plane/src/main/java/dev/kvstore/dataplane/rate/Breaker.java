package dev.kvstore.dataplane.rate;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Has something left alone that failed {@link #FAILURES} times in a row: for a pause, then one trial, and again if that
 * fails. Thread-safe.
 */
public final class Breaker {
    public static final int FAILURES = 5;

    /** Failures since the last success, and when the next trial is due. */
    private record BreakerState(int failures, Instant trial, String reason) {
        boolean isPause() {
            return failures >= FAILURES;
        }
    }

    private final InstantSource clock;
    private final Duration pause;
    private final AtomicReference<@Nullable BreakerState> trouble = new AtomicReference<>();

    public Breaker(InstantSource clock, Duration pause) {
        this.clock = clock;
        this.pause = pause;
    }

    /** Whether {@link #permits} would say so. */
    public boolean mayPermit() {
        BreakerState now = trouble.get();
        return now == null || !now.isPause() || !clock.instant().isBefore(now.trial());
    }

    /** Whether to go ahead. After a pause one caller gets true, and is the trial. */
    public boolean permits() {
        BreakerState now = trouble.get();
        if (now == null || !now.isPause()) {
            return true;
        }
        Instant time = clock.instant();
        return !time.isBefore(now.trial())
                && trouble.compareAndSet(now, new BreakerState(now.failures(), time.plus(pause), now.reason()));
    }

    public void succeeded() {
        // Mostly nothing to do, and then nothing is written that others read.
        if (trouble.get() != null) {
            trouble.set(null);
        }
    }

    public void failed(String reason) {
        trouble.updateAndGet(before -> new BreakerState(
                before == null ? 1 : before.failures() + 1, clock.instant().plus(pause), reason));
    }

    /** Why it is left alone now, or null if it is not. */
    public @Nullable String pausedFor() {
        BreakerState now = trouble.get();
        return now == null || !now.isPause() ? null : now.reason();
    }
}
