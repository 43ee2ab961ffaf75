package dev.kvstore.dataplane.service;

import java.time.Duration;

/** Slows a stream down to what its account may move. Stateless. */
final class Pace {
    /** A stream that would have to wait longer for a block is told so instead. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How a stream spends its time. */
    @FunctionalInterface
    interface Pause {
        /** Waits that long or less. */
        void on(Duration time) throws Refusal, InterruptedException;
    }

    private Pace() {}

    /**
     * Lets a block pass when its account may move it.
     *
     * @return whether that took any time
     * @throws Refusal if it would take too long, or what the pause throws
     */
    static boolean keep(Operations operations, Share share, long bytes, Pause pause)
            throws Refusal, InterruptedException {
        long since = operations.now();
        boolean waited = false;
        for (Duration due = share.take(bytes); due.isPositive(); due = share.take(bytes)) {
            if (due.plusNanos(operations.now() - since).compareTo(PATIENCE) > 0) {
                throw operations.spent(share, due);
            }
            pause.on(due);
            waited = true;
        }
        return waited;
    }
}
