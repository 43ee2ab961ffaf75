package dev.kvstore.dataplane.storage.http;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections to all hosts together: each takes a file of this process, and so many are open at most. Beyond that,
 * the connection that is unused longest makes room; if all are in use, hosts that have more than their share close
 * connections instead of using them again. Hosts get room in the order in which they asked. Thread-safe.
 */
final class ConnectionBudget {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ConnectionPool, Integer> taken = new HashMap<>();
    private final Set<ConnectionPool> wanting = new LinkedHashSet<>();
    private final Set<HttpConnection> unused = new LinkedHashSet<>();
    private int all;
    private volatile boolean scarce;

    /**
     * A budget of which nothing is taken.
     *
     * @param most connections, 1 or more
     */
    ConnectionBudget(int most) {
        this.most = most;
    }

    /** Takes room for one connection; false if there is none, and {@link ConnectionPool#granted} follows later. */
    boolean take(ConnectionPool pool) {
        lock.lock();
        try {
            if (all == most) {
                wanting.add(pool);
                scarce = true;
                return false;
            }
            all++;
            taken.merge(pool, 1, Integer::sum);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connection that is unused longest, if a host wants room. The caller holds no lock of a pool. */
    void makeRoom() {
        if (!scarce) {
            return;
        }
        @Nullable HttpConnection oldest = null;
        lock.lock();
        try {
            Iterator<HttpConnection> from = unused.iterator();
            if (!wanting.isEmpty() && from.hasNext()) {
                oldest = from.next();
                from.remove();
            }
        } finally {
            lock.unlock();
        }
        if (oldest != null) {
            oldest.evict();
        }
    }

    /**
     * A connection is closed: its room goes to the host that has waited longest and still needs it. The caller holds no
     * lock of a pool.
     */
    void giveBack(ConnectionPool pool) {
        @Nullable ConnectionPool next = passOn(pool);
        while (next != null && !next.granted()) {
            next = passOn(next);
        }
    }

    /** The host that has the room from now on; null if it is free. */
    private @Nullable ConnectionPool passOn(ConnectionPool pool) {
        @Nullable ConnectionPool next = null;
        lock.lock();
        try {
            taken.computeIfPresent(pool, (_, count) -> count == 1 ? null : count - 1);
            Iterator<ConnectionPool> first = wanting.iterator();
            if (first.hasNext()) {
                next = first.next();
                first.remove();
                scarce = !wanting.isEmpty();
                taken.merge(next, 1, Integer::sum);
            } else {
                all--;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a host is to close a connection that it could use again, since others have less than their share. */
    boolean isOverShare(ConnectionPool pool) {
        if (!scarce) {
            return false;
        }
        lock.lock();
        try {
            int hosts = taken.size();
            boolean others = false;
            for (ConnectionPool other : wanting) {
                hosts += taken.containsKey(other) ? 0 : 1;
                others |= other != pool;
            }
            // Rounded up, so that hosts which all have their share do not take turns with the rest.
            return others && (hosts > most || taken.getOrDefault(pool, 0) > Math.ceilDiv(most, hosts));
        } finally {
            lock.unlock();
        }
    }

    /** A connection is unused from now on. If hosts want room, {@link #makeRoom} is due. */
    void unused(HttpConnection connection) {
        lock.lock();
        try {
            unused.add(connection);
        } finally {
            lock.unlock();
        }
    }

    /** A connection is used again, or closed. */
    void used(HttpConnection connection) {
        lock.lock();
        try {
            unused.remove(connection);
        } finally {
            lock.unlock();
        }
    }

    /** Open connections, and connections that are being opened. */
    int open() {
        lock.lock();
        try {
            return all;
        } finally {
            lock.unlock();
        }
    }
}
