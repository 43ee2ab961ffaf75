package dev.kvstore.dataplane.storage.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A connection, which runs one exchange after the other. While it is unused it goes on listening, so that it is closed
 * as soon as the server closes it, or sends bytes that nobody asked for. Only for its event loop, unless a method says
 * otherwise.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private final ConnectionPool pool;
    private final Channel channel;
    private final ExchangeTimeout timeout;
    private @Nullable Exchange current;
    private @Nullable Throwable failure;
    private volatile boolean closing;

    HttpConnection(ConnectionPool pool, Channel channel) {
        this.pool = pool;
        this.channel = channel;
        this.timeout = new ExchangeTimeout(channel.eventLoop());
    }

    /** Runs a task in the event loop, at once if the caller is there. Thread-safe. */
    void execute(Runnable task) {
        if (channel.eventLoop().inEventLoop()) {
            run(task);
        } else {
            later(task);
        }
    }

    /**
     * Runs a task in the event loop, but not within the task that runs there now. Once the loop has ended, and with it
     * the connection, tasks run one after the other on a thread of Netty's. Thread-safe.
     */
    void later(Runnable task) {
        try {
            channel.eventLoop().execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            var _ = channel.eventLoop().terminationFuture().addListener(_ -> run(task));
        }
    }

    /** An error ends exchange and connection: nobody above would give them back. */
    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** Whether another exchange may have the connection: TLS takes its time to say goodbye. Thread-safe. */
    boolean isUsable() {
        return !closing && channel.isActive();
    }

    /** Closes the connection in an orderly way: a TLS session stays good for the next connection. Thread-safe. */
    void close() {
        closing = true;
        var _ = channel.close();
    }

    /** Closes the connection if nobody uses it. Thread-safe. */
    void evict() {
        pool.evict(this);
    }

    /** The address of the other end. Thread-safe. */
    @Nullable
    SocketAddress remote() {
        return channel.remoteAddress();
    }

    /** Runs an action in the event loop once the connection is closed. */
    void afterClose(Runnable action) {
        var _ = channel.closeFuture().addListener(_ -> action.run());
    }

    void run(Exchange exchange) {
        timeout.clear();
        current = exchange;
        exchange.begin(this);
        if (!isUsable()) {
            exchange.cut();
        }
    }

    /** Ends the exchange; the connection waits for the next one for {@code idle} at most. */
    void giveBack(Duration idle) {
        current = null;
        rest(idle);
        pool.release(this);
    }

    /** Listens while nobody uses the connection, for at most {@code idle}. */
    void rest(Duration idle) {
        timeout.set(idle, this::close);
        channel.read();
    }

    /** Ends the exchange, and the connection in an orderly way. */
    void end() {
        current = null;
        timeout.clear();
        close();
        pool.release(this);
    }

    /** Ends the exchange and the connection: bytes that are not sent yet are never sent. */
    void abort() {
        current = null;
        closing = true;
        timeout.clear();
        // The close goes past TLS, which would say goodbye first and wait until that is sent.
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first != null) {
            var _ = first.close();
        }
        pool.release(this);
    }

    /** Writes a message that is sent with the next one. */
    ChannelFuture prepare(Object message) {
        return channel.write(message);
    }

    ChannelFuture send(Object message) {
        return channel.writeAndFlush(message);
    }

    ByteBuf copy(ByteBuffer bytes) {
        return channel.alloc().directBuffer(bytes.remaining()).writeBytes(bytes);
    }

    void read() {
        channel.read();
    }

    ExchangeTimeout watch() {
        return timeout;
    }

    /**
     * The exception for a failure of the connection. The failure of a connection that nobody used yet, such as a
     * proxy's refusal, says more than that the connection is closed.
     */
    IOException broken(Throwable last) {
        Throwable cause = failure == null ? last : failure;
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new IOException(origin() + ": " + root, cause);
    }

    HttpOrigin origin() {
        return pool.origin();
    }

    HttpOptions options() {
        return pool.options();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (current == null) {
            ReferenceCountUtil.release(message);
            close();
        } else {
            current.received(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (current == null) {
            timeout.clear();
        } else if (channel.eventLoop().isShuttingDown()) {
            // A reader that asks for the rest later would find no loop to fetch it.
            current.fail(NettyHttpClient.closedClient());
        } else {
            current.cut();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failed(cause);
    }

    private void failed(Throwable cause) {
        if (current == null) {
            failure = cause;
            close();
        } else {
            current.fail(broken(cause));
        }
    }
}
