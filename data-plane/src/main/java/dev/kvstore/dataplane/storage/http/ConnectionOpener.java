package dev.kvstore.dataplane.storage.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.proxy.HttpProxyHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Opens connections to one origin: TCP, the tunnel through a proxy, TLS. Thread-safe. */
final class ConnectionOpener {
    /** Hears how the opening of a connection ended, in the connection's event loop. One of both is called, once. */
    interface Opening {
        /** The connection can take an exchange. */
        void ready(HttpConnection connection);

        /** There is no connection, and no socket any more. */
        void failed(Throwable cause);
    }

    // Bytes of a read: as many as a fast network brings in one go. A connection may hold a few for a slow reader.
    private static final int READ_BYTES = 256 << 10;
    private static final int FIRST_READ_BYTES = 16 << 10;
    private static final int LEAST_READ_BYTES = 2 << 10;
    private static final int READS_IN_A_ROW = 4;

    // Azure's headers take some 2 kB; a tenant's metadata up to 8 kB.
    private static final int HEADER_BYTES = 64 << 10;

    private final HttpOrigin origin;
    private final HttpOptions options;
    private final @Nullable HttpProxy proxy;
    private final @Nullable Tls tls;
    private final ServiceMeters meters;
    private final SocketRoute route;
    private final Bootstrap bootstrap;

    ConnectionOpener(HttpOrigin origin, HttpOptions options, Loops loops, @Nullable Tls tls, ServiceMeters meters) {
        this.origin = origin;
        this.options = options;
        this.proxy = HttpProxy.isDirect(origin.host()) ? null : options.proxy();
        this.tls = tls;
        this.meters = meters;
        this.route = new SocketRoute(options.localAddresses());
        this.bootstrap = bootstrap(loops);
    }

    private Bootstrap bootstrap(Loops loops) {
        Bootstrap made = new Bootstrap()
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
        return loops.isNative() ? made.option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true) : made;
    }

    /** The host whose addresses {@link #open} wants: the proxy, if there is one. */
    String nextHost() {
        return proxy == null ? origin.host() : proxy.host();
    }

    /** The proxy, to be named in an error. Empty without one. */
    String throughProxy() {
        return proxy == null ? "" : " through the proxy " + proxy.host() + ":" + proxy.port();
    }

    /**
     * Opens a connection.
     *
     * @param addresses of {@link #nextHost}, one at least
     */
    void open(ConnectionPool pool, List<InetAddress> addresses, Opening opening) {
        SocketRoute.Leg leg = route.next(addresses);
        Handlers handlers = new Handlers(pool, leg.remote());
        Bootstrap mine = bootstrap.clone().handler(handlers);
        InetSocketAddress remote = proxy == null
                ? new InetSocketAddress(leg.remote(), origin.port())
                : InetSocketAddress.createUnresolved(origin.host(), origin.port());
        ChannelFuture connecting = leg.local() == null
                ? mine.connect(remote)
                : mine.connect(remote, new InetSocketAddress(leg.local(), 0));
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                Channel channel = connecting.channel();
                meters.opened();
                channel.closeFuture().addListener(_ -> meters.closed());
                // TLS and a proxy answer before anybody asks for more.
                channel.read();
                handlers.await(opening);
            } else {
                meters.notOpened();
                opening.failed(done.cause());
            }
        });
    }

    /** The handlers of one connection. All methods are for the connection's event loop. */
    private final class Handlers extends ChannelInitializer<Channel> {
        private final ConnectionPool pool;
        private final InetAddress next;
        private @Nullable HttpProxyHandler tunnel;
        private @Nullable SslHandler security;
        private @Nullable HttpConnection connection;

        Handlers(ConnectionPool pool, InetAddress next) {
            this.pool = pool;
            this.next = next;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (proxy != null) {
                tunnel = new HttpProxyHandler(new InetSocketAddress(next, proxy.port()));
                tunnel.setConnectTimeoutMillis(options.connectTimeout().toMillis());
                channel.pipeline().addLast(tunnel);
            }
            if (tls != null) {
                security = tls.handler(origin, channel.alloc(), options);
                channel.pipeline().addLast(security);
            }
            connection = new HttpConnection(pool, channel);
            channel.pipeline()
                    .addLast(new HttpClientCodec(
                            new HttpDecoderConfig()
                                    .setMaxHeaderSize(HEADER_BYTES)
                                    .setMaxChunkSize(READ_BYTES),
                            false,
                            false))
                    .addLast(connection);
        }

        /** Waits for the tunnel and for TLS, once TCP stands. */
        void await(Opening opening) {
            after(tunnel == null ? null : tunnel.connectFuture(), opening, () -> secure(opening));
        }

        private void secure(Opening opening) {
            SslHandler mine = security;
            after(mine == null ? null : mine.handshakeFuture(), opening, () -> {
                if (mine != null && tls != null) {
                    meters.shookHands(tls.isResumed(mine));
                }
                opening.ready(Objects.requireNonNull(connection));
            });
        }

        private void after(@Nullable Future<Channel> step, Opening opening, Runnable next) {
            if (step == null) {
                next.run();
                return;
            }
            step.addListener(done -> {
                if (done.isSuccess()) {
                    next.run();
                } else {
                    HttpConnection mine = Objects.requireNonNull(connection);
                    mine.close();
                    mine.afterClose(() -> opening.failed(done.cause()));
                }
            });
        }
    }
}
