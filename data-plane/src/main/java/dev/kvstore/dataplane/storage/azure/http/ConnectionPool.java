package dev.kvstore.dataplane.storage.azure.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.pool.AbstractChannelPoolHandler;
import io.netty.channel.pool.FixedChannelPool;
import io.netty.channel.pool.FixedChannelPool.AcquireTimeoutAction;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.proxy.HttpProxyHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.AttributeKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one origin: so many at most, the one used last first. A connection that the server has closed is
 * not handed out, nor one to an address that the host's name no longer has. Thread-safe.
 */
final class ConnectionPool implements AutoCloseable {
    // Per read: what a fast network brings in one go. Each connection may hold a few of them for a reader who is slow.
    private static final int READ_BYTES = 256 << 10;
    private static final int FIRST_READ_BYTES = 16 << 10;
    private static final int LEAST_READ_BYTES = 2 << 10;
    private static final int READS_IN_A_ROW = 4;

    // Azure's headers take some 2 kB; a tenant's metadata up to 8 kB.
    private static final int HEADER_BYTES = 64 << 10;

    // A channel that was closed is without its handlers, and may have been handed out a moment before.
    private static final AttributeKey<AzureConnection> CONNECTION =
            AttributeKey.valueOf(ConnectionPool.class, "connection");

    private static final AttributeKey<InetSocketAddress> PROXY = AttributeKey.valueOf(ConnectionPool.class, "proxy");

    // More than calls, loads ahead and background work ask at a time, which all are limited: it refuses none of them.
    private static final int MOST_WAITING = 1 << 16;

    private final HttpOrigin origin;
    private final HttpOptions options;
    private final AddressCache names;
    private final @Nullable HttpProxy proxy;
    private final @Nullable Tls tls;
    private final ServiceMeters meters;
    private final SocketRoute route;
    private final LimitedChannelPool pool;
    private volatile List<InetAddress> addresses = List.of();

    ConnectionPool(
            HttpOrigin origin,
            HttpOptions options,
            Loops loops,
            AddressCache names,
            @Nullable Tls tls,
            ServiceMeters meters) {
        this.origin = origin;
        this.options = options;
        this.names = names;
        this.proxy = HttpProxy.isDirect(origin.host()) ? null : options.proxy();
        this.tls = tls;
        this.meters = meters;
        this.route = new SocketRoute(options.localAddresses());
        this.pool = new LimitedChannelPool(bootstrap(loops));
    }

    private Bootstrap bootstrap(Loops loops) {
        Bootstrap bootstrap = new Bootstrap()
                .group(loops.group())
                .channel(loops.socket())
                .resolver(NoopAddressResolverGroup.INSTANCE)
                .option(ChannelOption.ALLOCATOR, Loops.MEMORY)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(options.connectTimeout().toMillis()))
                .option(
                        ChannelOption.RCVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, FIRST_READ_BYTES, READ_BYTES)
                                .maxMessagesPerRead(READS_IN_A_ROW));
        // A local port is taken for each pair of addresses, and not for each local address.
        return loops.isNative() ? bootstrap.option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true) : bootstrap;
    }

    /** Runs an exchange on a connection as soon as there is one, or fails it. */
    void run(Exchange exchange) {
        meters.waiting();
        var _ = names.addresses(nextHost()).whenComplete((found, failure) -> {
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
        pool.acquire().addListener(future -> {
            meters.waitedFor();
            if (future.isSuccess()) {
                meters.acquired();
                AzureConnection connection =
                        ((Channel) future.getNow()).attr(CONNECTION).get();
                connection.execute(() -> connection.run(exchange));
            } else {
                exchange.refuse(unconnected(future.cause()));
            }
        });
    }

    /** The host that connections are made to: the proxy, if there is one. */
    private String nextHost() {
        return proxy == null ? origin.host() : proxy.host();
    }

    private IOException unknown(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof UnknownHostException
                ? new IOException("the name " + nextHost() + " is not known", cause)
                : new IOException("the name " + nextHost() + " cannot be looked up: " + cause, cause);
    }

    private IOException unconnected(Throwable cause) {
        return switch (cause) {
            case TimeoutException e ->
                new IOException(
                        "no connection to " + origin + " was free within " + options.acquireTimeout() + ": all "
                                + options.connections() + " are in use",
                        e);
            default ->
                new IOException(
                        "no connection to " + origin
                                + (proxy == null ? "" : " through the proxy " + proxy.host() + ":" + proxy.port())
                                + ": "
                                + cause,
                        cause);
        };
    }

    void release(Channel channel) {
        meters.released();
        var _ = pool.release(channel);
    }

    HttpOrigin origin() {
        return origin;
    }

    HttpOptions options() {
        return options;
    }

    /** Closes those that are idle, and the others as soon as they are given back. */
    @Override
    public void close() {
        var _ = pool.closeAsync();
    }

    /** One to an address that the name no longer has may go on answering for days, from the wrong region. */
    private boolean leadsToTheHost(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote && addresses.contains(remote.getAddress());
    }

    private void opened(Channel channel) {
        if (proxy != null) {
            HttpProxyHandler tunnel = new HttpProxyHandler(channel.attr(PROXY).get());
            tunnel.setConnectTimeoutMillis(options.connectTimeout().toMillis());
            channel.pipeline().addLast(tunnel);
        }
        if (tls != null) {
            SslHandler handler = tls.handler(origin, channel.alloc(), options);
            handler.handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    meters.shookHands(tls.isResumed(handler));
                }
            });
            channel.pipeline().addLast(handler);
        }
        AzureConnection connection = new AzureConnection(this, channel);
        channel.attr(CONNECTION).set(connection);
        channel.pipeline()
                .addLast(new HttpClientCodec(
                        new HttpDecoderConfig().setMaxHeaderSize(HEADER_BYTES).setMaxChunkSize(READ_BYTES),
                        false,
                        false))
                .addLast(connection);
    }

    private final class LimitedChannelPool extends FixedChannelPool {
        LimitedChannelPool(Bootstrap bootstrap) {
            super(
                    bootstrap,
                    new AbstractChannelPoolHandler() {
                        @Override
                        public void channelCreated(Channel channel) {
                            opened(channel);
                        }
                    },
                    channel -> channel.eventLoop()
                            .newSucceededFuture(channel.attr(CONNECTION).get().isUsable() && leadsToTheHost(channel)),
                    AcquireTimeoutAction.FAIL,
                    options.acquireTimeout().toMillis(),
                    options.connections(),
                    MOST_WAITING,
                    true,
                    true);
        }

        /** Behind a proxy its handler goes to the proxy, and names the host to it. */
        private InetSocketAddress remote(Bootstrap bootstrap, InetAddress next) {
            if (proxy == null) {
                return new InetSocketAddress(next, origin.port());
            }
            bootstrap.attr(PROXY, new InetSocketAddress(next, proxy.port()));
            return InetSocketAddress.createUnresolved(origin.host(), origin.port());
        }

        @Override
        protected ChannelFuture connectChannel(Bootstrap bootstrap) {
            SocketRoute.Leg leg = route.next(addresses);
            InetSocketAddress remote = remote(bootstrap, leg.remote());
            ChannelFuture connecting = leg.local() == null
                    ? bootstrap.connect(remote)
                    : bootstrap.connect(remote, new InetSocketAddress(leg.local(), 0));
            return connecting.addListener(done -> {
                if (done.isSuccess()) {
                    meters.opened();
                    connecting.channel().closeFuture().addListener(_ -> meters.closed());
                } else {
                    meters.notOpened();
                }
            });
        }
    }
}
