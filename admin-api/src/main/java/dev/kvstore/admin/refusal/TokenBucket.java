package dev.kvstore.admin.refusal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits the effects of strangers: a number of events at once, and then one in each period. Thread-safe. */
public final class TokenBucket {
    private final long periodNanos;
    private final long mostNanos;
    private final LongSupplier nanos;
    private long savedNanos;
    private long seen;

    /**
     * A full bucket.
     *
     * @param burst the most events at once, 1 or more
     * @param periodMillis the time after which there is room for one more event
     * @param nanos a clock that only goes forward, such as {@link System#nanoTime}
     */
    public TokenBucket(int burst, long periodMillis, LongSupplier nanos) {
        this.periodNanos = TimeUnit.MILLISECONDS.toNanos(periodMillis);
        this.mostNanos = burst * periodNanos;
        this.nanos = nanos;
        this.savedNanos = mostNanos;
        this.seen = nanos.getAsLong();
    }

    /** Takes room for one event; false if there is none. */
    public synchronized boolean take() {
        long now = nanos.getAsLong();
        savedNanos = Math.min(mostNanos, savedNanos + Math.max(0, now - seen));
        seen = now;
        if (savedNanos < periodNanos) {
            return false;
        }
        savedNanos -= periodNanos;
        return true;
    }
}
