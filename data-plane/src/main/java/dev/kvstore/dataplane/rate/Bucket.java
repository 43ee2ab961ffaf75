package dev.kvstore.dataplane.rate;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Holds back units that come faster than a rate, on average: units pass while nothing is owed, and may leave a debt,
 * which time pays off. So any number passes at once, and none has to be known beforehand. Unused units are saved up to
 * a second's worth, or a burst. Rates are units a second, 1 or more. Thread-safe.
 */
public final class Bucket {
    /** The longest debt that is told; the bound keeps sums within a long. */
    private static final Duration MOST = Duration.ofDays(1);

    private static final double NANOS = 1e9;

    private final Ticker ticker;
    private final long burst;
    private final ReentrantLock lock = new ReentrantLock();
    private double saved = Double.POSITIVE_INFINITY;
    private long since;

    /**
     * A full bucket.
     *
     * @param burst units that are saved even if that takes longer than a second
     */
    public Bucket(Ticker ticker, long burst) {
        this.ticker = ticker;
        this.burst = burst;
        this.since = ticker.read();
    }

    /** How long until nothing is owed; zero if that is so now. */
    public Duration due(long rate) {
        lock.lock();
        try {
            return owed(rate);
        } finally {
            lock.unlock();
        }
    }

    /** Lets units pass if nothing is owed, else answers how long that will take. */
    public Duration take(long units, long rate) {
        lock.lock();
        try {
            Duration due = owed(rate);
            if (due.isZero()) {
                saved -= units;
            }
            return due;
        } finally {
            lock.unlock();
        }
    }

    /** Notes units that pass, whatever is owed; a negative number gives units back. */
    public void charge(long units, long rate) {
        lock.lock();
        try {
            var _ = owed(rate);
            saved -= units;
        } finally {
            lock.unlock();
        }
    }

    private Duration owed(long rate) {
        long now = ticker.read();
        double most = Math.max(rate, burst);
        saved = Math.min(most, saved + (now - since) / NANOS * rate);
        since = now;
        return saved >= 0
                ? Duration.ZERO
                : Duration.ofNanos((long) Math.clamp(-saved / rate * NANOS, 1, (double) MOST.toNanos()));
    }
}
