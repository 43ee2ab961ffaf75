package dev.kvstore.client.internal;

import dev.kvstore.client.ClientOptions;
import dev.kvstore.client.EndpointAddress;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.protocol.wire.KvStoreMethods;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All connections of a client and the threads that serve them. Thread-safe. */
final class Channels implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Channels.class);
    private static final int CLOSE_SECONDS = 5;

    private final ClientOptions options;
    private final @Nullable ClientTls tls;
    private final EventLoopGroup eventLoops;
    private final ApiKeyCredentials credentials;
    private final List<Endpoint> endpoints;

    Channels(ClientOptions options) {
        this.options = options;
        this.credentials = new ApiKeyCredentials(options.apiKey(), options.plaintextAnywhere());
        boolean none = options.endpoints().stream().map(EndpointAddress::parse).allMatch(this::plaintext);
        this.tls = none ? null : new ClientTls(options);
        int threads = options.transport().eventLoopThreads();
        ThreadFactory factory = new DefaultThreadFactory("kvstore-client", true);
        this.eventLoops = Epoll.isAvailable()
                ? new EpollEventLoopGroup(threads, factory)
                : new NioEventLoopGroup(threads, factory);
        try {
            this.endpoints = options.endpoints().stream().map(this::connect).toList();
        } catch (RuntimeException e) {
            stopFollowing();
            stopEventLoops();
            throw e;
        }
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    private Endpoint connect(String endpoint) {
        List<ManagedChannel> channels = new ArrayList<>();
        for (int i = 0; i < options.connectionsPerEndpoint(); i++) {
            channels.add(channel(EndpointAddress.parse(endpoint)));
        }
        return new Endpoint(endpoint, channels, credentials);
    }

    private ManagedChannel channel(EndpointAddress address) {
        TransportOptions transport = options.transport();
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address.host(), address.port())
                .eventLoopGroup(eventLoops)
                .channelType(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .withOption(ChannelOption.TCP_NODELAY, true)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        transport.connectTimeout().toMillis())
                .directExecutor()
                .disableRetry()
                .userAgent("kvstore-java")
                .maxInboundMessageSize(KvStoreMethods.MAX_MESSAGE_BYTES)
                .flowControlWindow(transport.flowControlWindowBytes())
                .keepAliveTime(transport.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(transport.keepAliveTimeout().toNanos(), TimeUnit.NANOSECONDS)
                .idleTimeout(transport.idle().toNanos(), TimeUnit.NANOSECONDS);
        return tls == null || plaintext(address)
                ? builder.usePlaintext().build()
                : builder.sslContext(tls.context()).build();
    }

    private boolean plaintext(EndpointAddress address) {
        return options.plaintextAnywhere() || (address.loopback() && !options.tls());
    }

    /** Ends calls under way; waits 5 s at most. */
    @Override
    public void close() {
        List<ManagedChannel> all = endpoints.stream()
                .flatMap(endpoint -> endpoint.channels().stream())
                .toList();
        stopFollowing();
        all.forEach(ManagedChannel::shutdownNow);
        try {
            for (ManagedChannel channel : all) {
                channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopEventLoops();
        }
    }

    private void stopFollowing() {
        if (tls != null) {
            tls.close();
        }
    }

    private void stopEventLoops() {
        Future<?> stopped = eventLoops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        stopped.addListener(done -> {
            if (!done.isSuccess()) {
                LOG.warn("event loops did not stop", done.cause());
            }
        });
    }
}
