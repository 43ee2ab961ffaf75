package dev.kvstore.dataplane.jobs;

import java.time.Duration;

/**
 * The pauses of a job while its storage is away: 250 ms, then twice as long each time, 5 s at most. After 10 minutes its
 * blocks fail. For one thread.
 */
public final class StoragePauses {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration FIRST = Duration.ofMillis(250);
    private static final Duration MOST = Duration.ofSeconds(5);

    private Duration next = FIRST;
    private long since = System.nanoTime();

    /** Storage answered. */
    public void answered() {
        next = FIRST;
        since = System.nanoTime();
    }

    /** Whether storage has been away for too long. */
    public boolean areOver() {
        return System.nanoTime() - since > PATIENCE.toNanos();
    }

    /** The next pause. */
    public Duration next() {
        Duration due = next;
        next = next.multipliedBy(2).compareTo(MOST) < 0 ? next.multipliedBy(2) : MOST;
        return due;
    }
}
