package dev.kvstore.dataplane.rate;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a service alone that failed {@link #FAILURES} times in a row: for a pause, then allows one trial, and pauses
 * again if the trial fails. Thread-safe.
 */
public final class Breaker {
    public static final int FAILURES = 5;

    /** Failures since the last success, and when the next trial is due. */
    private record BreakerState(int failures, long trial, String reason) {
        boolean isPause() {
            return failures >= FAILURES;
        }
    }

    private final Ticker ticker;
    private final long pauseNanos;
    private final AtomicReference<@Nullable BreakerState> trouble = new AtomicReference<>();

    public Breaker(Ticker ticker, Duration pause) {
        this.ticker = ticker;
        this.pauseNanos = pause.toNanos();
    }

    /** Whether {@link #permits} would answer true. */
    public boolean mayPermit() {
        BreakerState now = trouble.get();
        return now == null || !now.isPause() || ticker.read() - now.trial() >= 0;
    }

    /** Whether to go ahead. After a pause one caller gets true, and is the trial. */
    public boolean permits() {
        BreakerState now = trouble.get();
        if (now == null || !now.isPause()) {
            return true;
        }
        long time = ticker.read();
        return time - now.trial() >= 0
                && trouble.compareAndSet(now, new BreakerState(now.failures(), time + pauseNanos, now.reason()));
    }

    public void succeeded() {
        // Mostly there is nothing to do, and then nothing is written that other threads read.
        if (trouble.get() != null) {
            trouble.set(null);
        }
    }

    public void failed(String reason) {
        trouble.updateAndGet(before ->
                new BreakerState(before == null ? 1 : before.failures() + 1, ticker.read() + pauseNanos, reason));
    }

    /** Why the service is left alone now, or null if it is not. */
    public @Nullable String pausedFor() {
        BreakerState now = trouble.get();
        return now == null || !now.isPause() ? null : now.reason();
    }
}
