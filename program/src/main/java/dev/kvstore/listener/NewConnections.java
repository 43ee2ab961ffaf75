package dev.kvstore.listener;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Limits how fast one address may begin connections that show no good credential. An address may use the turns of
 * {@link #BURST} at once; then each connection waits for its turn, and is refused if that would take longer than {@link
 * #PATIENCE}. A connection that shows a good credential gives its turn back, so a client that has one may connect
 * without limit. Thread-safe.
 *
 * <p>The rate is kept by the generic cell rate algorithm (ITU-T I.371): of each address, the time at which all its
 * turns would be free again.
 */
public final class NewConnections {
    /** The time whose turns an address may use at once. */
    public static final Duration BURST = Duration.ofSeconds(5);

    /** The longest wait of a connection for its turn; one that would wait longer is refused. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The most addresses that are remembered. Beyond these, the address that came first is forgotten. */
    static final int ADDRESSES = 10_000;

    private static final long BURST_NANOS = BURST.toNanos();
    private static final long PATIENCE_NANOS = PATIENCE.toNanos();

    private final long interval;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * The time at which all turns of an address are free again, in nanoseconds; in the order in which the addresses
     * came.
     */
    private final Map<Object, Long> freeAgain = new LinkedHashMap<>();

    /**
     * Makes limits for addresses that have begun no connections.
     *
     * @param perSecond the turns of one address, 1 to 1,000,000
     * @param nanoTime nanoseconds that never decrease, such as {@link System#nanoTime}
     */
    public NewConnections(int perSecond, LongSupplier nanoTime) {
        if (perSecond < 1 || perSecond > 1_000_000) {
            throw new IllegalArgumentException("perSecond is " + perSecond + ", and has to be 1 to 1,000,000");
        }
        this.interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.nanoTime = nanoTime;
    }

    /**
     * Takes a turn for a new connection.
     *
     * @param origin the origin of the connection, see {@link AddressGroup}
     * @return nanoseconds until the turn, 0 for at once; empty if the connection must be refused, which takes no turn
     */
    OptionalLong turn(Object origin) {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            Long before = freeAgain.get(origin);
            long next = interval + (before == null || before - now < 0 ? now : before);
            long wait = Math.max(0, next - now - BURST_NANOS);
            if (wait > PATIENCE_NANOS) {
                return OptionalLong.empty();
            }
            freeAgain.put(origin, next);
            if (before == null) {
                forgetOne(now);
            }
            return OptionalLong.of(wait);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a turn if one is free at once.
     *
     * @param origin the origin of the connection, see {@link AddressGroup}
     * @return false if the connection must be refused, which takes no turn
     */
    public boolean turnAtOnce(Object origin) {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            Long before = freeAgain.get(origin);
            return (before == null || before - now + interval <= BURST_NANOS)
                    && turn(origin).isPresent();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Forgets the oldest address, if all its turns are free again or there are too many addresses. The caller holds the
     * lock.
     */
    private void forgetOne(long now) {
        Iterator<Long> oldest = freeAgain.values().iterator();
        if (oldest.next() - now <= 0 || freeAgain.size() > ADDRESSES) {
            oldest.remove();
        }
    }

    /** Gives the turn back of a connection of this origin that has shown a good credential. */
    public void proven(Object origin) {
        lock.lock();
        try {
            freeAgain.computeIfPresent(origin, (_, before) -> before - interval);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Charges an origin for a connection that was closed for its frames, like for this many connections. The charge is
     * bounded by the longest wait of a connection.
     *
     * @param turns 0 or more
     */
    public void charge(Object origin, int turns) {
        if (turns <= 0) {
            return;
        }
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            Long before = freeAgain.get(origin);
            long owed = before == null || before - now < 0 ? 0 : before - now;
            freeAgain.put(origin, now + Math.min(owed + turns * interval, BURST_NANOS + PATIENCE_NANOS));
            if (before == null) {
                forgetOne(now);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The number of remembered addresses. */
    int remembered() {
        lock.lock();
        try {
            return freeAgain.size();
        } finally {
            lock.unlock();
        }
    }
}
