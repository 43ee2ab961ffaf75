package dev.kvstore.client.internal.http2;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls to one address over one connection at a time, made when it is needed, and again after it was lost. Listeners
 * hear on the event loop and must not block it. Thread-safe.
 */
public final class Http2Channel extends ManagedChannel {
    /** Bytes that a server may send of an answer before they are read; by default those of the settings. */
    public static final CallOptions.Key<Integer> WINDOW = CallOptions.Key.create("kvstore.window");

    static final Status CLOSED = Status.UNAVAILABLE.withDescription("Channel shutdown invoked");
    private static final Status CLOSED_NOW = Status.UNAVAILABLE.withDescription("Channel shutdownNow invoked");

    /**
     * Calls within this time after a failed attempt to connect fail with its error, so that a server that refuses is
     * not asked for each call.
     */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Stream ids have 31 bits. */
    private static final int LAST_ID = Integer.MAX_VALUE - 1000;

    private final Dialer dialer;
    private final ChannelSettings settings;
    private final EventLoop loop;
    private final ByteBufAllocator allocator;
    private final int lastId;
    private final CountDownLatch terminated = new CountDownLatch(1);
    private final Set<Http2Call<?, ?>> waiting = new LinkedHashSet<>();
    private final Set<Http2Call<?, ?>> unread = new HashSet<>();
    private final Set<ClientConnection> connections = new HashSet<>();
    private volatile boolean shutdown;
    private boolean refusing;
    private @Nullable ClientConnection current;
    private boolean dialing;
    private @Nullable Status failure;
    private long failedAt;

    /** @param loop runs all of it */
    public Http2Channel(Dialer dialer, ChannelSettings settings, EventLoop loop) {
        this(dialer, settings, loop, PooledByteBufAllocator.DEFAULT, LAST_ID);
    }

    /**
     * One whose limits are chosen.
     *
     * @param allocator of all memory, of sockets too
     * @param lastId a connection that gets there gives way to a new one
     */
    Http2Channel(Dialer dialer, ChannelSettings settings, EventLoop loop, ByteBufAllocator allocator, int lastId) {
        this.dialer = dialer;
        this.settings = settings;
        this.loop = loop;
        this.allocator = allocator;
        this.lastId = lastId;
    }

    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
        return new Http2Call<>(this, method, options);
    }

    @Override
    public String authority() {
        return dialer.authority();
    }

    @Override
    public ManagedChannel shutdown() {
        shutdown = true;
        run(() -> {
            refusing = true;
            settle();
        });
        return this;
    }

    @Override
    public ManagedChannel shutdownNow() {
        shutdown = true;
        run(() -> {
            refusing = true;
            List.copyOf(waiting).forEach(call -> call.end(CLOSED_NOW));
            List.copyOf(unread).forEach(call -> call.end(CLOSED_NOW));
            List.copyOf(connections).forEach(connection -> connection.giveUp(CLOSED_NOW));
            dialing = false; // what becomes of it is closed as soon as it is there
            endIfDone();
        });
        return this;
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return terminated.getCount() == 0;
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
        return terminated.await(time, unit);
    }

    ChannelSettings settings() {
        return settings;
    }

    int mostMessageBytes() {
        return settings.mostMessageBytes();
    }

    ByteBufAllocator allocator() {
        return allocator;
    }

    int lastId() {
        return lastId;
    }

    /** Whether sockets look anew where bytes are each time they send: the JDK's sockets remember the address. */
    boolean lends() {
        return dialer.socket() == EpollSocketChannel.class;
    }

    /** Runs a step on the event loop, at once if this is it. */
    void run(Runnable step) {
        run(step, () -> {});
    }

    /** Runs a step on the event loop; if that has stopped, runs {@code otherwise} on the caller's thread. */
    void run(Runnable step, Runnable otherwise) {
        if (loop.inEventLoop()) {
            step.run();
            return;
        }
        try {
            loop.execute(step);
        } catch (RejectedExecutionException e) {
            terminated.countDown();
            otherwise.run();
        }
    }

    Future<?> schedule(Runnable step, long nanos) {
        return loop.schedule(step, nanos, TimeUnit.NANOSECONDS);
    }

    // All that follows is the event loop's.

    /** A call begins, unless the channel was shut down before. */
    void begin(Http2Call<?, ?> call) {
        if (refusing) {
            call.end(CLOSED);
        } else {
            open(call);
        }
    }

    /** Gives a call that has begun a connection, as soon as there is one. */
    void open(Http2Call<?, ?> call) {
        ClientConnection open = current;
        if (open != null && open.isOpen()) {
            open.open(call);
            return;
        }
        Status recent = failure;
        if (recent != null && !dialing && System.nanoTime() - failedAt < PAUSE_NANOS) {
            call.end(recent);
            return;
        }
        waiting.add(call);
        if (!dialing) {
            dialing = true;
            dialer.dial(this, loop);
        }
    }

    /** A call is over that never had a stream. */
    void forget(Http2Call<?, ?> call) {
        waiting.remove(call);
        List.copyOf(connections).forEach(connection -> connection.forget(call));
        settle();
    }

    /** Whether the channel was shut down and no call waits for a connection. */
    boolean needsNoConnection() {
        return refusing && waiting.isEmpty();
    }

    /** After a shutdown, lets go what no call needs. */
    void settle() {
        if (needsNoConnection()) {
            List.copyOf(connections).forEach(ClientConnection::closeIfUnused);
        }
        endIfDone();
    }

    /** A call has its whole answer, which nobody has read. It needs no connection. */
    void answered(Http2Call<?, ?> call) {
        unread.add(call);
    }

    /** A call is over that had a stream. */
    void read(Http2Call<?, ?> call) {
        if (unread.remove(call)) {
            endIfDone();
        }
    }

    /** A socket is there; it becomes the connection once it has shown to speak HTTP/2. */
    void connected(ClientConnection connection) {
        connections.add(connection);
    }

    /** A connection takes calls. */
    void ready(ClientConnection connection) {
        dialing = false;
        failure = null;
        current = connection;
        List<Http2Call<?, ?>> calls = new ArrayList<>(waiting);
        waiting.clear();
        calls.forEach(connection::open);
        settle();
    }

    /** A connection takes calls no more. */
    void left(ClientConnection connection) {
        if (connection.equals(current)) {
            current = null;
        }
    }

    /** A connection is gone. */
    void closed(ClientConnection connection) {
        connections.remove(connection);
        endIfDone();
    }

    /** No connection could be made. */
    void unreachable(Status status) {
        dialing = false;
        failure = status;
        failedAt = System.nanoTime();
        List<Http2Call<?, ?>> calls = new ArrayList<>(waiting);
        waiting.clear();
        calls.forEach(call -> call.end(status));
        endIfDone();
    }

    private void endIfDone() {
        if (refusing && connections.isEmpty() && unread.isEmpty() && !dialing) {
            terminated.countDown();
        }
    }
}
