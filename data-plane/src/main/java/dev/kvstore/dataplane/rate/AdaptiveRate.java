package dev.kvstore.dataplane.rate;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The requests a second that a service takes, found out by trying: without limit until it asks for fewer. Each second in
 * which it does halves the rate, down to one request a second; each second in which it does not adds a twentieth of the
 * rate at which it began to ask, and at that rate the limit is gone. This is additive increase and multiplicative
 * decrease, which lets several clients of one service share it (Chiu and Jain, 1989). Thread-safe.
 */
public final class AdaptiveRate {
    /** Longest time that a service can ask for none at all. */
    public static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    /** The limit is at least that at first: a service that is hardly used may refuse a single request. */
    static final double LEAST_AT_FIRST = 16;

    static final double LEAST = 1;
    private static final double STEPS = 20;
    private static final double SAVED_SECONDS = 0.1;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Ticker ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private double limit = Double.POSITIVE_INFINITY;
    private double peak;
    private double saved;
    private long savedAt;
    private long secondBegan;
    private long inThisSecond;
    private double inTheLastSecond;
    private boolean askedThisSecond;
    private long silentUntil;

    public AdaptiveRate(Ticker ticker) {
        this.ticker = ticker;
        this.secondBegan = ticker.read();
        this.silentUntil = secondBegan;
    }

    /** Whether to send a request now; it counts if so. */
    public boolean permits() {
        lock.lock();
        try {
            long now = ticker.read();
            follow(now);
            if (now - silentUntil < 0 || !take(now)) {
                return false;
            }
            inThisSecond++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The service asked for fewer requests.
     *
     * @param silence time without any, as it said; zero if it did not; {@link #LONGEST_SILENCE} at most counts
     */
    public void askedForFewer(Duration silence) {
        lock.lock();
        try {
            long now = ticker.read();
            follow(now);
            long wanted = now + Math.min(silence.toNanos(), LONGEST_SILENCE.toNanos());
            silentUntil = wanted - silentUntil > 0 ? wanted : silentUntil;
            if (askedThisSecond) {
                return;
            }
            askedThisSecond = true;
            if (limit == Double.POSITIVE_INFINITY) {
                peak = Math.max(2 * LEAST_AT_FIRST, Math.max(inTheLastSecond, (double) inThisSecond));
                limit = peak;
                saved = saveable();
                savedAt = now;
            }
            limit = Math.max(LEAST, limit / 2);
        } finally {
            lock.unlock();
        }
    }

    /** Requests a second now; infinite if the service takes all. */
    public double limit() {
        lock.lock();
        try {
            follow(ticker.read());
            return limit;
        } finally {
            lock.unlock();
        }
    }

    /** Ends seconds that are over. */
    private void follow(long now) {
        long over = (now - secondBegan) / SECOND;
        if (over <= 0) {
            return;
        }
        // The first of these seconds may have had a refusal; the others had no request.
        raise(askedThisSecond ? over - 1 : over);
        inTheLastSecond = over == 1 ? (double) inThisSecond : 0;
        inThisSecond = 0;
        askedThisSecond = false;
        secondBegan += over * SECOND;
    }

    private void raise(long quietSeconds) {
        if (limit != Double.POSITIVE_INFINITY) {
            limit += (double) quietSeconds * peak / STEPS;
            limit = limit >= peak ? Double.POSITIVE_INFINITY : limit;
        }
    }

    private boolean take(long now) {
        if (limit == Double.POSITIVE_INFINITY) {
            return true;
        }
        saved = Math.min(saveable(), saved + (double) (now - savedAt) / SECOND * limit);
        savedAt = now;
        if (saved < 1) {
            return false;
        }
        saved--;
        return true;
    }

    private double saveable() {
        return Math.max(1, limit * SAVED_SECONDS);
    }
}
