package dev.kvstore.listener;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the gRPC listener, counted from their acceptance, handshakes included. A connection is admitted
 * once a call on it shows a good key, up to a limit. The others may take the rest of the room, and a reserve beyond the
 * limit; if that is full, a new connection displaces the oldest one of the address that has most of them. Thread-safe.
 */
public final class ListenerConnections extends ServerTransportFilter {
    /** The reason why a connection was closed. */
    public enum CloseReason {
        /** No call came in time. */
        SILENT("silent"),
        /** The connection had shown no good key yet, and had to make room for others. */
        DISPLACED("displaced"),
        /** The connection was idle, and its holder had most: it made room for another holder's connection. */
        IDLE("idle"),
        /** The connection had only calls without a good key. */
        STRANGER("stranger"),
        /** The connection came from a load balancer, and did not begin with a header that names the client. */
        HEADER("header"),
        /** The connection's address began too many that showed no good key. */
        RATE("rate"),
        /** The limit of admitted connections was reached. */
        FULL("full");

        private final String tag;

        CloseReason(String tag) {
            this.tag = tag;
        }

        /** The reason's name in meters. */
        public String tag() {
            return tag;
        }
    }

    /**
     * The part of the limit that is added beyond it for connections that are not admitted, so that a client can always
     * check the health.
     */
    private static final int RESERVE_PART = 8;

    private static final int LEAST_RESERVE = 8;

    /** The two addresses of a connection, by which the transport's attributes identify it. */
    private record SocketAddresses(
            @Nullable SocketAddress local, @Nullable SocketAddress remote) {}

    /**
     * The bytes that a client may send on an admitted connection. A frame stays in memory until it is whole.
     *
     * @param callBytes the bytes that a client may send before its call reads them
     * @param frameBytes the bytes of the longest frame, at least HTTP/2's own 16 KiB
     * @param together whether the bytes that calls have not read count for their connection, too; if so, a call that
     *     fails before its request was read has to be reset, or its bytes count until the client has sent the rest
     */
    public record CallWindows(int callBytes, int frameBytes, boolean together) {}

    /**
     * The choice of the admitted connection that makes room for a holder with fewer connections, when the limit is
     * reached.
     */
    public enum Surplus {
        /** A connection without calls, if there is one. */
        IDLE,
        /** A connection without calls, else the oldest. */
        ANY
    }

    private final int limit;
    private final int reserve;
    private final NewConnections newConnections;
    private final Surplus surplus;
    private final ReentrantLock lock = new ReentrantLock();

    /** The connections of each address that are not admitted, the oldest first. */
    private final Map<Object, Set<AcceptedConnection>> addresses = new HashMap<>();

    /** The admitted connections of each holder, the oldest first. */
    private final Map<Object, Set<AcceptedConnection>> holders = new HashMap<>();

    private final Map<SocketAddresses, AcceptedConnection> byEnds = new ConcurrentHashMap<>();
    private final Map<CloseReason, LongAdder> closed = new EnumMap<>(CloseReason.class);
    private int waiting;
    private int admitted;

    /**
     * Makes an empty set of connections.
     *
     * @param limit the most admitted connections at a time, 1 or more
     * @param newConnections limits the rate of new connections of an address
     */
    public ListenerConnections(int limit, NewConnections newConnections, Surplus surplus) {
        this.limit = limit;
        this.surplus = surplus;
        this.newConnections = newConnections;
        this.reserve = Math.max(LEAST_RESERVE, limit / RESERVE_PART);
        for (CloseReason reason : CloseReason.values()) {
            closed.put(reason, new LongAdder());
        }
    }

    /** The number of open connections. */
    public int open() {
        lock.lock();
        try {
            return waiting + admitted;
        } finally {
            lock.unlock();
        }
    }

    /** The number of connections on which no call has shown a good key. */
    public int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** The most admitted connections at a time. */
    public int limit() {
        return limit;
    }

    /**
     * The number of connections that were closed because the limit of admitted ones was reached, although they showed a
     * good key.
     */
    public long refused() {
        return closed(CloseReason.FULL);
    }

    /** The number of connections that this process closed so far for a reason. */
    public long closed(CloseReason reason) {
        return counter(reason).sum();
    }

    /** Counts a closed connection. */
    void count(CloseReason reason) {
        counter(reason).increment();
    }

    private LongAdder counter(CloseReason reason) {
        LongAdder counter = closed.get(reason);
        if (counter == null) {
            throw new IllegalStateException("every reason is counted, " + reason + " is not");
        }
        return counter;
    }

    /** The limit on new connections of an address. */
    public NewConnections turns() {
        return newConnections;
    }

    /** Takes a new connection in; closes another one for it if there is no room. */
    void add(AcceptedConnection connection) {
        byEnds.put(new SocketAddresses(connection.local(), connection.remote()), connection);
        AcceptedConnection displaced = null;
        lock.lock();
        try {
            addresses
                    .computeIfAbsent(connection.origin(), _ -> new LinkedHashSet<>())
                    .add(connection);
            waiting++;
            if (waiting > Math.max(reserve, limit - admitted)) {
                displaced = longestWaiting(connection);
            }
        } finally {
            lock.unlock();
        }
        if (displaced != null) {
            displaced.close(CloseReason.DISPLACED);
        }
    }

    /** Counts a connection for its client's address, which became known before any call. */
    void move(AcceptedConnection connection, CallerAddress caller) {
        lock.lock();
        try {
            if (!remove(addresses, connection.origin(), connection)) {
                return; // the connection is being closed
            }
            connection.caller(caller);
            addresses
                    .computeIfAbsent(connection.origin(), _ -> new LinkedHashSet<>())
                    .add(connection);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes the connection that makes room for another; one with health checks goes last. The caller holds the lock.
     */
    private @Nullable AcceptedConnection longestWaiting(AcceptedConnection besides) {
        Set<AcceptedConnection> most = largest(addresses, 0);
        AcceptedConnection oldest = first(most, one -> one != besides && !one.isOfUse());
        AcceptedConnection gone = oldest == null ? first(most, one -> one != besides) : oldest;
        if (gone != null) {
            forget(gone);
        }
        return gone;
    }

    /** The largest set of those that are larger than a number; empty if there is none. */
    private static Set<AcceptedConnection> largest(Map<Object, Set<AcceptedConnection>> sets, int more) {
        Set<AcceptedConnection> most = Set.of();
        for (Set<AcceptedConnection> set : sets.values()) {
            if (set.size() > Math.max(more, most.size())) {
                most = set;
            }
        }
        return most;
    }

    private static @Nullable AcceptedConnection first(
            Set<AcceptedConnection> connections, Predicate<AcceptedConnection> that) {
        for (AcceptedConnection connection : connections) {
            if (that.test(connection)) {
                return connection;
            }
        }
        return null;
    }

    /** Admits a connection, on which a call has shown a good key; false if the limit is reached. */
    boolean admit(AcceptedConnection connection, Object holder) {
        AcceptedConnection gone = null;
        lock.lock();
        try {
            if (!addresses.getOrDefault(connection.origin(), Set.of()).contains(connection)) {
                // The connection was admitted a moment ago, or is being closed.
                Object before = connection.holder();
                return before != null && holders.getOrDefault(before, Set.of()).contains(connection);
            }
            if (admitted >= limit) {
                gone = surplus(holders.getOrDefault(holder, Set.of()).size() + 1);
                if (gone == null) {
                    return false;
                }
                forget(gone);
            }
            forget(connection);
            connection.holder(holder);
            holders.computeIfAbsent(holder, _ -> new LinkedHashSet<>()).add(connection);
            admitted++;
        } finally {
            lock.unlock();
        }
        newConnections.proven(connection.origin());
        if (gone != null) {
            // A connection that was idle a moment ago ends gracefully.
            boolean gracefully = surplus == Surplus.IDLE || gone.isIdle();
            gone.close(gracefully ? CloseReason.IDLE : CloseReason.DISPLACED);
        }
        return true;
    }

    /** A connection of the holder that has most, if that holder has more than a number. The caller holds the lock. */
    private @Nullable AcceptedConnection surplus(int more) {
        Set<AcceptedConnection> most = largest(holders, more);
        AcceptedConnection idle = first(most, AcceptedConnection::isIdle);
        return idle == null && surplus == Surplus.ANY ? first(most, _ -> true) : idle;
    }

    /** Removes a connection that is closed, or about to be. */
    void remove(AcceptedConnection connection) {
        byEnds.remove(new SocketAddresses(connection.local(), connection.remote()), connection);
        lock.lock();
        try {
            forget(connection);
        } finally {
            lock.unlock();
        }
    }

    private void forget(AcceptedConnection connection) {
        Object holder = connection.holder();
        if (remove(addresses, connection.origin(), connection)) {
            waiting--;
        } else if (holder != null && remove(holders, holder, connection)) {
            admitted--;
        }
    }

    private static boolean remove(
            Map<Object, Set<AcceptedConnection>> sets, Object key, AcceptedConnection connection) {
        Set<AcceptedConnection> set = sets.get(key);
        if (set == null || !set.remove(connection)) {
            return false;
        }
        if (set.isEmpty()) {
            sets.remove(key);
        }
        return true;
    }

    @Override
    public Attributes transportReady(Attributes attributes) {
        AcceptedConnection connection = byEnds.get(new SocketAddresses(
                attributes.get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR), attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)));
        if (connection == null) {
            String text = "other clients need the connection";
            // The transport closes a connection whose first frame cannot be handled, with this error.
            throw new IllegalStateException(text, Http2Exception.connectionError(Http2Error.NO_ERROR, text));
        }
        return attributes.toBuilder()
                .set(CallerConnection.OF_CALL, connection)
                .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, connection.caller().address())
                .build();
    }
}
