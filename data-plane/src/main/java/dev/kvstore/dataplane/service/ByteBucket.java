package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.protocol.format.BlockHeader;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Holds back what is faster than a rate, on average: bytes pass while nothing is owed, and may leave a debt, which time
 * pays off. So a block of any size passes, and no size has to be known beforehand. What was not used is saved up to a
 * second's worth, or one longest block. Rates are bytes a second, 1 or more. Thread-safe.
 */
final class ByteBucket {
    /** Longer than any debt is told of; it keeps sums within what a long holds. */
    private static final Duration MOST = Duration.ofDays(1);

    private static final double NANOS = 1e9;

    private final Ticker ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private double saved = Double.POSITIVE_INFINITY;
    private long since;

    /** One that is full. */
    ByteBucket(Ticker ticker) {
        this.ticker = ticker;
        this.since = ticker.read();
    }

    /** How long until nothing is owed; zero if that is so now. */
    Duration due(long rate) {
        lock.lock();
        try {
            return owed(rate);
        } finally {
            lock.unlock();
        }
    }

    /** Lets bytes pass if nothing is owed, else answers how long that will take. */
    Duration take(long bytes, long rate) {
        lock.lock();
        try {
            Duration due = owed(rate);
            if (due.isZero()) {
                saved -= bytes;
            }
            return due;
        } finally {
            lock.unlock();
        }
    }

    /** Notes bytes that pass, whatever is owed. */
    void charge(long bytes, long rate) {
        lock.lock();
        try {
            var _ = owed(rate);
            saved -= bytes;
        } finally {
            lock.unlock();
        }
    }

    private Duration owed(long rate) {
        long now = ticker.read();
        double most = Math.max(rate, BlockHeader.MAX_BUFFER_BYTES);
        saved = Math.min(most, saved + (now - since) / NANOS * rate);
        since = now;
        return saved >= 0
                ? Duration.ZERO
                : Duration.ofNanos((long) Math.clamp(-saved / rate * NANOS, 1, (double) MOST.toNanos()));
    }
}
