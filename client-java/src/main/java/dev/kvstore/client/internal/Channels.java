package dev.kvstore.client.internal;

import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.client.internal.http2.ChannelSettings;
import dev.kvstore.client.internal.http2.Dialer;
import dev.kvstore.client.internal.http2.Http2Channel;
import dev.kvstore.client.internal.http2.LongFrames;
import dev.kvstore.client.internal.http2.Nanos;
import dev.kvstore.client.internal.routing.Route;
import dev.kvstore.protocol.wire.KvStoreMethods;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the connections of a client, and owns the threads that serve them. Thread-safe. */
public final class Channels implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Channels.class);
    static final int CLOSE_SECONDS = 5;
    private static final String USER_AGENT = "kvstore-java";

    private final ClientOptions options;
    private final EventLoopGroup eventLoops;
    private final ApiKeyCredentials credentials;
    private final Function<EndpointAddress, ManagedChannel> data;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ClientTls tls;

    public Channels(ClientOptions options) {
        this(options, null);
    }

    /** @param data makes channels to data planes; null for those of the options */
    public Channels(ClientOptions options, @Nullable Function<EndpointAddress, ManagedChannel> data) {
        this.options = options;
        this.data = data != null ? data : this::data;
        this.credentials = new ApiKeyCredentials(options.apiKey(), options.plaintextAnywhere());
        if (options.tls() || !options.addresses().allMatch(this::plaintext)) {
            this.tls = new ClientTls(options); // an error in the files must be reported now
        }
        int threads = options.transport().eventLoopThreads();
        ThreadFactory factory = new DefaultThreadFactory("kvstore-client", true);
        this.eventLoops = Epoll.isAvailable()
                ? new EpollEventLoopGroup(threads, factory)
                : new NioEventLoopGroup(threads, factory);
        startEventLoops();
    }

    /**
     * Starts the threads now: if the process can have no more threads, the failure comes before anything depends on
     * one.
     */
    private void startEventLoops() {
        try {
            eventLoops.forEach(loop -> loop.execute(() -> {}));
        } catch (OutOfMemoryError e) {
            KvStoreException failure = Errors.broken("starting the network threads", e);
            try {
                close();
            } catch (OutOfMemoryError again) { // Netty needs a thread to end a thread
                failure.addSuppressed(again);
            }
            throw failure;
        }
    }

    /** A data plane, to which the first call connects. */
    public Endpoint endpoint(Route.Target target) {
        EndpointAddress address = EndpointAddress.parse(target.address());
        return new Endpoint(
                target.id(),
                target.address(),
                options.connectionsPerEndpoint(),
                () -> data.apply(address),
                credentials);
    }

    ApiKeyCredentials credentials() {
        return credentials;
    }

    /**
     * A channel to the control plane. The keepalive finds a connection that a firewall has forgotten: without it, new
     * watches would use that connection until TCP gives up after a quarter of an hour.
     */
    ManagedChannel control(EndpointAddress address) {
        return secured(probed(builder(address)), address);
    }

    private NettyChannelBuilder probed(NettyChannelBuilder builder) {
        return builder.keepAliveTime(Nanos.of(options.transport().keepAlive()), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(Nanos.of(options.transport().keepAliveTimeout()), TimeUnit.NANOSECONDS);
    }

    private ManagedChannel data(EndpointAddress address) {
        return switch (options.transport().stack()) {
            case KVSTORE -> own(address);
            case GRPC_JAVA -> grpcJava(address);
        };
    }

    private ManagedChannel own(EndpointAddress address) {
        TransportOptions transport = options.transport();
        ChannelSettings settings = new ChannelSettings(
                transport.flowControlWindowBytes(),
                KvStoreMethods.MAX_MESSAGE_BYTES,
                transport.keepAlive(),
                transport.keepAliveTimeout(),
                transport.idle(),
                transport.connectTimeout(),
                USER_AGENT);
        Dialer dialer = new Dialer(
                address.host(),
                address.port(),
                socket(),
                plaintext(address) ? null : tls()::context,
                settings,
                lookUp -> NewThread.start("kvstore-client-names", lookUp));
        return new Http2Channel(dialer, settings, eventLoops.next());
    }

    private ManagedChannel grpcJava(EndpointAddress address) {
        TransportOptions transport = options.transport();
        NettyChannelBuilder builder = probed(builder(address))
                .directExecutor()
                .maxInboundMessageSize(KvStoreMethods.MAX_MESSAGE_BYTES)
                .flowControlWindow(transport.flowControlWindowBytes())
                .idleTimeout(Nanos.of(transport.idle()), TimeUnit.NANOSECONDS);
        return LongFrames.on(builder, plaintext(address) ? null : tls().context())
                .build();
    }

    private static Class<? extends SocketChannel> socket() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** A builder of direct connections, like those of our own stack, whatever HTTP proxy the JVM uses. */
    private NettyChannelBuilder builder(EndpointAddress address) {
        return NettyChannelBuilder.forAddress(address.host(), address.port())
                .proxyDetector(unused -> null)
                .eventLoopGroup(eventLoops)
                .channelType(socket())
                .withOption(ChannelOption.TCP_NODELAY, true)
                .withOption(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Nanos.millis(options.transport().connectTimeout()))
                .disableRetry()
                .userAgent(USER_AGENT);
    }

    private ManagedChannel secured(NettyChannelBuilder builder, EndpointAddress address) {
        return plaintext(address)
                ? builder.usePlaintext().build()
                : builder.sslContext(tls().context()).build();
    }

    /**
     * The TLS of this client, made when a route first names a data plane that is not on this machine, if not before.
     */
    private ClientTls tls() {
        lock.lock();
        try {
            if (tls == null) {
                tls = new ClientTls(options);
            }
            return tls;
        } finally {
            lock.unlock();
        }
    }

    private boolean plaintext(EndpointAddress address) {
        return options.plaintextAnywhere() || (address.loopback() && !options.tls());
    }

    /** Stops the threads. The channels must be closed before. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (tls != null) {
                tls.close();
            }
        } finally {
            lock.unlock();
        }
        stopEventLoops();
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
