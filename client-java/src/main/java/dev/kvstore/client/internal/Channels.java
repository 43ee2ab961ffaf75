package dev.kvstore.client.internal;

import dev.kvstore.client.ClientOptions;
import dev.kvstore.client.EndpointAddress;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.protocol.wire.KvStoreMethods;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All connections of a client and the threads that serve them. Thread-safe. */
final class Channels implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Channels.class);
    private static final int CLOSE_SECONDS = 5;

    private final ClientOptions options;
    private final EventLoopGroup eventLoops;
    private final List<Endpoint> endpoints;

    Channels(ClientOptions options) {
        this.options = options;
        int threads = options.transport().eventLoopThreads();
        ThreadFactory factory = new DefaultThreadFactory("kvstore-client", true);
        this.eventLoops = Epoll.isAvailable()
                ? new EpollEventLoopGroup(threads, factory)
                : new NioEventLoopGroup(threads, factory);
        try {
            this.endpoints = options.endpoints().stream().map(this::connect).toList();
        } catch (RuntimeException e) {
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
        return new Endpoint(endpoint, channels);
    }

    private ManagedChannel channel(EndpointAddress address) {
        TransportOptions transport = options.transport();
        Metadata headers = new Metadata();
        headers.put(Credentials.AUTHORIZATION, Credentials.bearer(options.apiKey()));
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address.host(), address.port())
                .eventLoopGroup(eventLoops)
                .channelType(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .withOption(ChannelOption.TCP_NODELAY, true)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        transport.connectTimeout().toMillis())
                .directExecutor()
                .disableRetry()
                .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
                .userAgent("kvstore-java")
                .maxInboundMessageSize(KvStoreMethods.MAX_MESSAGE_BYTES)
                .flowControlWindow(transport.flowControlWindowBytes())
                .keepAliveTime(transport.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(transport.keepAliveTimeout().toNanos(), TimeUnit.NANOSECONDS)
                .idleTimeout(transport.idle().toNanos(), TimeUnit.NANOSECONDS);
        if (plaintext(address)) {
            return builder.usePlaintext().build();
        }
        Path trust = options.trust();
        if (trust != null) {
            trust(builder, trust);
        }
        return builder.build();
    }

    private boolean plaintext(EndpointAddress address) {
        return options.plaintextAnywhere() || (address.loopback() && !options.tls());
    }

    private static void trust(NettyChannelBuilder builder, Path trust) {
        try {
            SslContextBuilder context = GrpcSslContexts.forClient().trustManager(trust.toFile());
            builder.sslContext(context.build());
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "tls: cannot trust " + trust + "; give a readable file of PEM certificates", e);
        }
    }

    /** Ends calls under way; waits 5 s at most. */
    @Override
    public void close() {
        List<ManagedChannel> all = endpoints.stream()
                .flatMap(endpoint -> endpoint.channels().stream())
                .toList();
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

    private void stopEventLoops() {
        Future<?> stopped = eventLoops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        stopped.addListener(done -> {
            if (!done.isSuccess()) {
                LOG.warn("event loops did not stop", done.cause());
            }
        });
    }
}
