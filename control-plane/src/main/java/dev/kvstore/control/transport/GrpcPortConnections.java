package dev.kvstore.control.transport;

import dev.kvstore.control.metrics.ControlPlaneMetrics;
import dev.kvstore.listener.AddressGroup;
import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.listener.ConnectionGate;
import dev.kvstore.listener.NewConnections;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the gRPC port, from the moment in which they are accepted. One over which nobody has shown a good
 * credential is closed after {@link #SILENT}, and as soon as another wants its place, the oldest first. Thread-safe.
 */
@Singleton
public final class GrpcPortConnections {
    /** Time for a handshake, a first call and its look-up. */
    static final Duration SILENT = Duration.ofSeconds(10);

    /**
     * Calls that a client may reset before they are answered, if by then none of its calls has shown a good credential.
     */
    static final int RESETS = 100;

    /** The client, if a load balancer has named it. */
    private static final AttributeKey<InetSocketAddress> CLIENT =
            AttributeKey.valueOf(GrpcPortConnections.class, "client");

    private final int limit;
    private final NewConnections turns;
    private final Counter tooFast;
    private final Counter refused;
    private final Counter closed;
    private final Counter headless;
    private final ReentrantLock lock = new ReentrantLock();

    /** Connections that have proven nothing, the oldest first. */
    private final Map<SocketAddress, Channel> silent = new LinkedHashMap<>();

    private final Map<SocketAddress, Channel> proven = new HashMap<>();

    public GrpcPortConnections(
            @ConfigProperty(name = "kvstore.max-connections", defaultValue = "2000") int limit,
            @ConfigProperty(name = "kvstore.max-new-connections", defaultValue = "20") int perSecond,
            MeterRegistry meters) {
        this.limit = limit;
        this.turns = new NewConnections(perSecond, System::nanoTime);
        this.tooFast = ControlPlaneMetrics.CONNECTIONS_CLOSED.counter(meters, "rate");
        this.refused = ControlPlaneMetrics.CONNECTIONS_CLOSED.counter(meters, "limit");
        this.closed = ControlPlaneMetrics.CONNECTIONS_CLOSED.counter(meters, "silent");
        this.headless = ControlPlaneMetrics.CONNECTIONS_CLOSED.counter(meters, "header");
        ControlPlaneMetrics.CONNECTIONS.gauge(meters, this, GrpcPortConnections::open);
    }

    int open() {
        lock.lock();
        try {
            return silent.size() + proven.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes in a connection, or closes it, or another for it. For the connection's own thread. */
    void accepted(Channel channel, BalancerAddresses balancers) {
        ConnectionGate.before(channel, turns, balancers, tooFast::increment);
        SocketAddress peer = channel.remoteAddress();
        Channel surplus = enter(peer, channel);
        if (surplus != null) {
            refused.increment();
            var _ = surplus.close();
            if (surplus == channel) {
                return;
            }
        }
        var _ = channel.closeFuture().addListener(_ -> left(peer, channel));
        var _ = channel.eventLoop()
                .schedule(() -> closeIfSilent(peer, channel), SILENT.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A load balancer has named the client of a connection; false if its address begins too many connections. */
    boolean comesFrom(InetSocketAddress client, Channel channel) {
        if (turns.turnAtOnce(AddressGroup.of(client))) {
            channel.attr(CLIENT).set(client);
            return true;
        }
        tooFast.increment();
        return false;
    }

    /** A connection is closed for calls that it had reset, which counts as so many connections of its address. */
    void charge(Channel channel, int connections) {
        turns.charge(origin(channel), connections);
    }

    /** The origin of the client; behind a load balancer, the client that the balancer named. */
    static Object origin(Channel channel) {
        InetSocketAddress client = channel.attr(CLIENT).get();
        return AddressGroup.of(client == null ? channel.remoteAddress() : client);
    }

    /**
     * Counts a closed connection that came from a load balancer and did not begin with a header that names the client.
     */
    void refusedWithoutHeader() {
        headless.increment();
    }

    /** Which one is to be closed for it; null if there is room. */
    private @Nullable Channel enter(SocketAddress peer, Channel channel) {
        lock.lock();
        try {
            Channel surplus = null;
            if (silent.size() + proven.size() >= limit) {
                Iterator<Channel> oldest = silent.values().iterator();
                if (!oldest.hasNext()) {
                    return channel;
                }
                surplus = oldest.next();
                oldest.remove();
            }
            silent.put(peer, channel);
            return surplus;
        } finally {
            lock.unlock();
        }
    }

    private void left(SocketAddress peer, Channel channel) {
        lock.lock();
        try {
            silent.remove(peer, channel);
            proven.remove(peer, channel);
        } finally {
            lock.unlock();
        }
    }

    /** Closes a connection that has proven nothing. */
    void closeIfSilent(Channel channel) {
        closeIfSilent(channel.remoteAddress(), channel);
    }

    private void closeIfSilent(SocketAddress peer, Channel channel) {
        lock.lock();
        try {
            if (silent.get(peer) != channel) {
                return;
            }
        } finally {
            lock.unlock();
        }
        closed.increment();
        var _ = channel.close();
    }

    /** Somebody has shown a good credential in a call over a connection with these attributes. */
    public void proven(Attributes attributes) {
        SocketAddress peer = attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        if (peer == null) {
            return;
        }
        lock.lock();
        try {
            Channel channel = silent.remove(peer);
            if (channel != null) {
                proven.put(peer, channel);
                turns.proven(origin(channel));
            }
        } finally {
            lock.unlock();
        }
    }
}
