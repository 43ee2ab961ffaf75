package dev.kvstore.dataplane.rate;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;

/**
 * Sends a service that refuses most requests fewer of them. A request is withheld with the probability {@code max(0,
 * (requests - K * accepted - SLACK) / (requests + 1))}, where both counts fade with a time constant of 5 s. So a
 * service that refuses less than half is asked as before, and each refused request is repeated by its caller; one that
 * refuses all gets some 5 of 300 requests a second after half a minute; and one that accepts again gets twice as many
 * with each round. This is the adaptive throttling of clients in Beyer et al., Site Reliability Engineering (2016),
 * chapter 21, with K = 2. Thread-safe.
 */
public final class AdaptiveThrottle {
    /** Longest time that a service can ask for no request at all. */
    public static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    private static final double K = 2;

    /** Requests that are sent whatever becomes of them: a service that is hardly used may refuse a few. */
    private static final double SLACK = 20;

    private static final double FADING_NANOS = 5e9;
    private static final long PROBE_NANOS = Duration.ofSeconds(1).toNanos();

    private final Ticker ticker;
    private final DoubleSupplier random;
    private final ReentrantLock lock = new ReentrantLock();
    private double requests;
    private double accepted;
    private long countedAt;
    private long sentAt;
    private long silentUntil;

    /** @param random numbers from 0 to 1, without 1 */
    public AdaptiveThrottle(Ticker ticker, DoubleSupplier random) {
        this.ticker = ticker;
        this.random = random;
        this.countedAt = ticker.read();
        this.sentAt = countedAt - PROBE_NANOS;
        this.silentUntil = countedAt;
    }

    /**
     * Whether to send a request now. A request that is withheld counts at once, a request that is sent when its caller
     * reports the outcome.
     */
    public boolean permits() {
        lock.lock();
        try {
            long now = fade();
            double excess = (requests - K * accepted - SLACK) / (requests + 1);
            boolean isProbe = now - sentAt >= PROBE_NANOS;
            if (now - silentUntil < 0 || (!isProbe && random.getAsDouble() < excess)) {
                requests++;
                return false;
            }
            sentAt = now;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A request that was sent was not refused for being too many; it may have failed in another way. */
    public void accepted() {
        lock.lock();
        try {
            fade();
            requests++;
            accepted++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A request that was sent was refused.
     *
     * @param silence the time without requests that the service asked for, zero if it named none. It counts, {@link
     *     #LONGEST_SILENCE} at most, if the service accepts nothing; one that accepts some refuses single requests
     */
    public void refused(Duration silence) {
        lock.lock();
        try {
            long now = fade();
            requests++;
            if (accepted < 1) {
                long wanted = now + Math.min(silence.toNanos(), LONGEST_SILENCE.toNanos());
                silentUntil = wanted - silentUntil > 0 ? wanted : silentUntil;
            }
        } finally {
            lock.unlock();
        }
    }

    private long fade() {
        long now = ticker.read();
        double rest = Math.exp((double) (countedAt - now) / FADING_NANOS);
        requests *= rest;
        accepted *= rest;
        countedAt = now;
        return now;
    }
}
