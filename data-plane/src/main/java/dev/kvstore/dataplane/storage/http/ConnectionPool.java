package dev.kvstore.dataplane.storage.http;

import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one origin: so many at most, the one used last first. Requests wait in the order in which they
 * came for the first connection that is free, whether it is new or was used before. A host that is met for the first
 * time gets {@link #FIRST} connections, then twice as many with each round: so a storm of requests costs few
 * handshakes, most of which take up a session again. A connection that the server has closed is not handed out, nor one
 * to an address that the host's name no longer has. Thread-safe.
 */
final class ConnectionPool implements AutoCloseable {
    /** Connections that are opened at a time while none stands: a lost packet of one of them does not delay all. */
    static final int FIRST = 2;

    // Most waiting requests: more than calls, loads ahead and background work, which are limited, ever ask for.
    private static final int MOST_WAITING = 1 << 16;

    private final HttpOrigin origin;
    private final HttpOptions options;
    private final Loops loops;
    private final AddressCache addressCache;
    private final ConnectionBudget budget;
    private final ServiceMeters meters;
    private final ConnectionOpener opener;
    private volatile List<InetAddress> addresses = List.of();

    /** Guards all fields below. No foreign code runs under the lock, except the budget's {@code take}. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Deque<HttpConnection> unused = new ArrayDeque<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int standing;
    private int opening;
    private @Nullable IOException notOpened;
    private boolean closed;

    /** A request that waits for a connection. */
    private final class Waiting {
        private final Exchange exchange;
        private final long since = System.nanoTime();
        private final ScheduledFuture<?> timer;

        Waiting(Exchange exchange) {
            this.exchange = exchange;
            this.timer = loops.group()
                    .schedule(this::giveUp, options.acquireTimeout().toNanos(), TimeUnit.NANOSECONDS);
        }

        private void giveUp() {
            IOException reason;
            lock.lock();
            try {
                if (!waiting.remove(this)) {
                    return;
                }
                reason = late();
            } finally {
                lock.unlock();
            }
            refuse(reason);
        }

        void refuse(IOException reason) {
            timer.cancel(false);
            meters.waitedFor();
            exchange.refuse(reason);
        }

        void begin(HttpConnection connection) {
            timer.cancel(false);
            ConnectionPool.this.begin(connection, exchange);
        }
    }

    ConnectionPool(
            HttpOrigin origin,
            HttpOptions options,
            Loops loops,
            AddressCache addressCache,
            @Nullable Tls tls,
            ConnectionBudget budget,
            ServiceMeters meters) {
        this.origin = origin;
        this.options = options;
        this.loops = loops;
        this.addressCache = addressCache;
        this.budget = budget;
        this.meters = meters;
        this.opener = new ConnectionOpener(origin, options, loops, tls, meters);
    }

    /** Runs an exchange on a connection as soon as there is one, or fails it. */
    void run(Exchange exchange) {
        meters.waiting();
        var _ = addressCache.addresses(opener.nextHost()).whenComplete((found, failure) -> {
            if (failure != null) {
                meters.waitedFor();
                exchange.refuse(unknown(failure));
            } else {
                addresses = found;
                acquire(exchange);
            }
        });
    }

    private void acquire(Exchange exchange) {
        @Nullable HttpConnection free;
        boolean refused = false;
        List<HttpConnection> strays = new ArrayList<>();
        lock.lock();
        try {
            free = pollUnused(strays);
            if (free == null) {
                refused = closed || waiting.size() >= MOST_WAITING;
                if (!refused) {
                    waiting.add(new Waiting(exchange));
                }
            }
        } finally {
            lock.unlock();
        }
        strays.forEach(HttpConnection::close);
        if (free != null) {
            begin(free, exchange);
        } else if (refused) {
            meters.waitedFor();
            exchange.refuse(new IOException("the connections to " + origin + " are closed"));
        } else {
            open();
        }
    }

    /**
     * The connection used last that is good, if one is unused.
     *
     * @param strays receives the connections whose address is no longer one of the host; the caller closes them
     */
    private @Nullable HttpConnection pollUnused(List<HttpConnection> strays) {
        for (HttpConnection last = unused.pollLast(); last != null; last = unused.pollLast()) {
            budget.used(last);
            if (last.isUsable()) {
                if (leadsToTheHost(last)) {
                    return last;
                }
                strays.add(last);
            }
        }
        return null;
    }

    private void begin(HttpConnection connection, Exchange exchange) {
        // Exchanges begin later: one that is over at once gives the connection to the next, and so on for all that
        // wait.
        connection.later(() -> {
            if (connection.isUsable()) {
                meters.waitedFor();
                meters.acquired();
                connection.run(exchange);
            } else {
                // The server closed it a moment ago.
                acquire(exchange);
            }
        });
    }

    /** Opens connections for requests that wait, as many as the host may have. */
    private void open() {
        int more = 0;
        boolean full = false;
        lock.lock();
        try {
            while (!full && needsMore()) {
                full = !budget.take(this);
                if (!full) {
                    opening++;
                    more++;
                }
            }
        } finally {
            lock.unlock();
        }
        for (int i = 0; i < more; i++) {
            openOne();
        }
        if (full) {
            budget.makeRoom();
        }
    }

    private boolean needsMore() {
        return !closed
                && waiting.size() > opening
                && opening < Math.max(FIRST, standing)
                && standing + opening < options.connections();
    }

    /** There is room for a connection, which this host has waited for; false if it needs none any more. */
    boolean granted() {
        boolean needed;
        lock.lock();
        try {
            needed = needsMore();
            opening += needed ? 1 : 0;
        } finally {
            lock.unlock();
        }
        if (needed) {
            openOne();
            open();
        }
        return needed;
    }

    private void openOne() {
        long began = System.nanoTime();
        opener.open(this, addresses, new ConnectionOpener.Opening() {
            @Override
            public void ready(HttpConnection connection) {
                lock.lock();
                try {
                    opening--;
                    standing++;
                    notOpened = null;
                } finally {
                    lock.unlock();
                }
                connection.rest(options.idle());
                connection.afterClose(() -> gone(connection));
                if (connection.isUsable()) {
                    free(connection);
                }
                open();
            }

            @Override
            public void failed(Throwable cause) {
                notOpened(cause, began);
            }
        });
    }

    /**
     * A connection could not be opened. If no other stands, each request that has waited for it fails: so a host that
     * is away is not tried once for each request. Else the others serve the requests, and the next one is tried when a
     * request comes or ends.
     */
    private void notOpened(Throwable cause, long began) {
        IOException reason =
                new IOException("no connection to " + origin + opener.throughProxy() + ": " + cause, cause);
        List<Waiting> refused = new ArrayList<>();
        boolean alone;
        lock.lock();
        try {
            opening--;
            notOpened = reason;
            alone = standing == 0;
            while (alone && !waiting.isEmpty() && waiting.getFirst().since - began <= 0) {
                refused.add(waiting.removeFirst());
            }
        } finally {
            lock.unlock();
        }
        budget.giveBack(this);
        refused.forEach(each -> each.refuse(reason));
        if (alone) {
            open();
        }
    }

    /** A connection is closed. */
    private void gone(HttpConnection connection) {
        lock.lock();
        try {
            forget(connection);
            standing--;
        } finally {
            lock.unlock();
        }
        budget.giveBack(this);
        open();
    }

    /** Whether the connection was unused; it is not handed out any more. Under the lock. */
    private boolean forget(HttpConnection connection) {
        budget.used(connection);
        return unused.remove(connection);
    }

    /** Closes a connection, unless a request has got it meanwhile. */
    void evict(HttpConnection connection) {
        boolean wasUnused;
        lock.lock();
        try {
            wasUnused = forget(connection);
        } finally {
            lock.unlock();
        }
        if (wasUnused) {
            connection.close();
        }
    }

    /** Takes a connection back from its exchange; its event loop calls this. */
    void release(HttpConnection connection) {
        meters.released();
        if (connection.isUsable()) {
            free(connection);
        }
    }

    /** Gives a connection to the request that has waited longest, or keeps it. */
    private void free(HttpConnection connection) {
        boolean keep = leadsToTheHost(connection) && !budget.isOverShare(this);
        @Nullable Waiting next = null;
        lock.lock();
        try {
            keep &= !closed;
            if (keep) {
                next = waiting.pollFirst();
                if (next == null) {
                    unused.addLast(connection);
                    budget.unused(connection);
                }
            }
        } finally {
            lock.unlock();
        }
        if (!keep) {
            connection.close();
        } else if (next == null) {
            budget.makeRoom();
        } else {
            next.begin(connection);
            open();
        }
    }

    private IOException unknown(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof UnknownHostException
                ? new IOException("the name " + opener.nextHost() + " is not known", cause)
                : new IOException("the name " + opener.nextHost() + " cannot be looked up: " + cause, cause);
    }

    /** Why a request found no connection; under the lock. */
    private IOException late() {
        String why = standing == options.connections()
                ? "all " + standing + " are in use"
                : standing + " are in use, " + opening + " are being opened, and all hosts together have "
                        + budget.open() + " of " + options.allConnections();
        return new IOException(
                "no connection to " + origin + " was free within " + options.acquireTimeout() + ": " + why
                        + (notOpened == null ? "" : "; the last attempt: " + notOpened.getMessage()),
                new TimeoutException());
    }

    HttpOrigin origin() {
        return origin;
    }

    HttpOptions options() {
        return options;
    }

    /** Closes unused connections, and the others as soon as they are given back; requests that wait fail. */
    @Override
    public void close() {
        List<HttpConnection> rest;
        List<Waiting> refused;
        lock.lock();
        try {
            closed = true;
            rest = List.copyOf(unused);
            unused.clear();
            rest.forEach(budget::used);
            refused = List.copyOf(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        rest.forEach(HttpConnection::close);
        IOException reason = new IOException("the connections to " + origin + " are closed");
        refused.forEach(each -> each.refuse(reason));
    }

    /** Whether the name still has the connection's address: another may go on answering, from the wrong region. */
    private boolean leadsToTheHost(HttpConnection connection) {
        return connection.remote() instanceof InetSocketAddress remote && addresses.contains(remote.getAddress());
    }
}
