package dev.kvstore.dataplane.tier.disk;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a disk alone that failed {@link #FAILURES} times in a row: for {@link #PAUSE}, then one trial, and again if that
 * fails. Thread-safe.
 */
final class Breaker {
    static final int FAILURES = 5;
    static final Duration PAUSE = Duration.ofSeconds(30);

    /** Failures since the last success, and when the next trial is due. */
    private record Trouble(int failures, Instant trial, String reason) {
        boolean isPause() {
            return failures >= FAILURES;
        }
    }

    private final InstantSource clock;
    private final AtomicReference<@Nullable Trouble> trouble = new AtomicReference<>();

    Breaker(InstantSource clock) {
        this.clock = clock;
    }

    /** Whether to go ahead. Of those who ask after a pause, one is told so, and is the trial. */
    boolean permits() {
        Trouble now = trouble.get();
        if (now == null || !now.isPause()) {
            return true;
        }
        Instant time = clock.instant();
        return !time.isBefore(now.trial())
                && trouble.compareAndSet(now, new Trouble(now.failures(), time.plus(PAUSE), now.reason()));
    }

    void succeeded() {
        // Mostly nothing to do, and then nothing is written that others read.
        if (trouble.get() != null) {
            trouble.set(null);
        }
    }

    void failed(String reason) {
        trouble.updateAndGet(before -> new Trouble(
                before == null ? 1 : before.failures() + 1, clock.instant().plus(PAUSE), reason));
    }

    /** Why it is left alone now, or null if it is not. */
    @Nullable
    String pausedFor() {
        Trouble now = trouble.get();
        return now == null || !now.isPause() ? null : now.reason();
    }
}
