package dev.kvstore.dataplane.service;

import java.time.Duration;

/** Slows a stream down to the bytes per second of its account. Stateless. */
final class Pace {
    /** The longest wait for a block; a block that would have to wait longer is refused. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How a stream waits. */
    @FunctionalInterface
    interface Pause {
        /** Waits for this time or less. */
        void on(Duration time) throws Refusal, InterruptedException;
    }

    private Pace() {}

    /**
     * Waits until the account's limit allows a block.
     *
     * @return whether it waited
     * @throws Refusal if the wait would be too long; or what the pause throws
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
