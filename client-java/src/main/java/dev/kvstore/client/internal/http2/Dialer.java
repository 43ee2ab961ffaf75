package dev.kvstore.client.internal.http2;

import io.grpc.Status;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections to a host: to its addresses in turn, until one speaks HTTP/2. Thread-safe.
 *
 * @param socket kind of socket that goes with the event loop
 * @param tls the TLS context; null for plaintext
 * @param lookUps runs each look-up of a name on a thread that may block; may refuse one by an exception
 */
public record Dialer(
        String host,
        int port,
        Class<? extends Channel> socket,
        @Nullable Supplier<SslContext> tls,
        ChannelSettings settings,
        Executor lookUps) {
    private static final Status NO_ADDRESS = Status.UNAVAILABLE.withDescription("the host has no address");

    /** The most bytes between this client and the socket; below the lower mark more are taken. */
    static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

    /** The authority of requests, which TLS checks. */
    String authority() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * Tries to connect; the channel gets the outcome on its event loop. Another thread looks names up, since that
     * blocks.
     */
    void dial(Http2Channel channel, EventLoop loop) {
        try {
            lookUps.execute(() -> lookUp(channel, loop));
        } catch (RuntimeException e) {
            channel.unreachable(CallStatuses.gone("looking up host " + host + " failed", e));
        }
    }

    private void lookUp(Http2Channel channel, EventLoop loop) {
        try {
            List<InetAddress> addresses = Arrays.asList(InetAddress.getAllByName(host));
            channel.run(() -> dial(channel, loop, addresses.iterator(), NO_ADDRESS));
        } catch (UnknownHostException e) {
            Status unknown = CallStatuses.gone("Unable to resolve host " + host, e);
            channel.run(() -> channel.unreachable(unknown));
        } catch (RuntimeException | Error e) {
            channel.run(() -> channel.unreachable(CallStatuses.gone("looking up host " + host + " failed", e)));
        }
    }

    private void dial(Http2Channel channel, EventLoop loop, Iterator<InetAddress> left, Status last) {
        if (!left.hasNext() || channel.needsNoConnection()) {
            channel.unreachable(last);
            return;
        }
        try {
            connect(channel, loop, left);
        } catch (RuntimeException | Error e) {
            channel.unreachable(CallStatuses.gone("connecting failed here", e));
        }
    }

    private void connect(Http2Channel channel, EventLoop loop, Iterator<InetAddress> left) {
        Consumer<Status> next = failure -> dial(channel, loop, left, failure);
        ReadBuffers buffers = new ReadBuffers();
        new Bootstrap()
                .channel(socket)
                .group(loop)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Nanos.millis(settings.connectTimeout()))
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT)
                .option(ChannelOption.RCVBUF_ALLOCATOR, buffers)
                .option(ChannelOption.ALLOCATOR, channel.allocator())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel made) {
                        if (tls != null) {
                            made.pipeline().addLast(encryption(made, tls));
                        }
                        made.pipeline().addLast(new Link(channel, buffers, tls != null, next));
                    }
                })
                .connect(new InetSocketAddress(left.next(), port))
                .addListener(connected -> {
                    Throwable cause = connected.cause();
                    if (cause != null) {
                        next.accept(CallStatuses.gone("io exception", cause));
                    }
                });
    }

    private SslHandler encryption(Channel made, Supplier<SslContext> context) {
        // This engine takes many records at a time; an engine of newEngine takes one record, like the JDK's.
        SslHandler encryption = context.get().newHandler(made.alloc(), host, port);
        SSLParameters parameters = encryption.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        encryption.engine().setSSLParameters(parameters);
        encryption.setHandshakeTimeout(Nanos.of(settings.connectTimeout()), TimeUnit.NANOSECONDS);
        return encryption;
    }
}
