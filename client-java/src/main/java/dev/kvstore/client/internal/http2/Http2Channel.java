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
 * Calls to one address over one connection at a time, made on demand, and again after it was lost. Listeners run on the
 * event loop and must not block it. Thread-safe.
 */
public final class Http2Channel extends ManagedChannel {
    /**
     * The option for the bytes of an answer that a server may send before the reader takes them; by default those of
     * the settings.
     */
    public static final CallOptions.Key<Integer> WINDOW = CallOptions.Key.create("kvstore.window");

    static final Status CLOSED = Status.UNAVAILABLE.withDescription("Channel shutdown invoked");
    private static final Status CLOSED_NOW = Status.UNAVAILABLE.withDescription("Channel shutdownNow invoked");

    /**
     * The time after a failed attempt to connect in which calls fail with its error, so that not each call asks a
     * server that refuses.
     */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The last id of a stream: ids have 31 bits. */
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

    /** @param loop the event loop of the channel */
    public Http2Channel(Dialer dialer, ChannelSettings settings, EventLoop loop) {
        this(dialer, settings, loop, PooledByteBufAllocator.DEFAULT, LAST_ID);
    }

    /**
     * Makes a channel with given limits.
     *
     * @param allocator the allocator of all memory, also of sockets
     * @param lastId the stream id at which a new connection replaces the old one
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
            dialing = false; // the connection that is being made is closed as soon as it exists
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

    /**
     * Whether sockets read the address of the bytes each time they send: the JDK's sockets remember it, so they cannot
     * be lent bytes.
     */
    boolean lends() {
        return dialer.socket() == EpollSocketChannel.class;
    }

    /** Runs a step on the event loop, at once if this is it. */
    void run(Runnable step) {
        run(step, () -> {});
    }

    /** Runs a step on the event loop; if the loop has stopped, runs {@code otherwise} on the caller's thread. */
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

    // Only the event loop calls the methods below.

    /** Begins a call, unless the channel was shut down before. */
    void begin(Http2Call<?, ?> call) {
        if (refusing) {
            call.end(CLOSED);
        } else {
            open(call);
        }
    }

    /** Gives a call a connection, as soon as there is one. */
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

    /** Forgets a call that is over and never had a stream. */
    void forget(Http2Call<?, ?> call) {
        waiting.remove(call);
        List.copyOf(connections).forEach(connection -> connection.forget(call));
        settle();
    }

    /** Whether the channel was shut down and no call waits for a connection. */
    boolean needsNoConnection() {
        return refusing && waiting.isEmpty();
    }

    /** After a shutdown, closes connections that no call needs. */
    void settle() {
        if (needsNoConnection()) {
            List.copyOf(connections).forEach(ClientConnection::closeIfUnused);
        }
        endIfDone();
    }

    /** Notes that a call has its whole answer, which nobody has read. The call needs no connection. */
    void answered(Http2Call<?, ?> call) {
        unread.add(call);
    }

    /** Notes that a call is over that had a stream. */
    void read(Http2Call<?, ?> call) {
        if (unread.remove(call)) {
            endIfDone();
        }
    }

    /** Notes a connected socket; it becomes the connection once the peer has shown that it speaks HTTP/2. */
    void connected(ClientConnection connection) {
        connections.add(connection);
    }

    /** Notes that a connection takes calls. */
    void ready(ClientConnection connection) {
        dialing = false;
        failure = null;
        current = connection;
        List<Http2Call<?, ?>> calls = new ArrayList<>(waiting);
        waiting.clear();
        calls.forEach(connection::open);
        settle();
    }

    /** Notes that a connection takes no more calls. */
    void left(ClientConnection connection) {
        if (connection.equals(current)) {
            current = null;
        }
    }

    /** Notes that a connection is gone. */
    void closed(ClientConnection connection) {
        connections.remove(connection);
        endIfDone();
    }

    /** Notes that no connection could be made. */
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
