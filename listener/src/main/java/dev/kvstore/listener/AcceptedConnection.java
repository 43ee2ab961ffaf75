package dev.kvstore.listener;

import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the gRPC listener. Until a call on it has shown a good key it may send little before it is heard,
 * is closed when nothing comes of it, and may have to go for others. Thread-safe.
 */
public final class AcceptedConnection implements CallerConnection {
    /** Handshakes included, the time in which a call has to come. */
    public static final Duration SILENCE = Duration.ofSeconds(10);

    /** The bytes that a connection without a good key may send before its calls read them: HTTP/2's own window. */
    public static final int STRANGERS_WINDOW = Http2CodecUtil.DEFAULT_WINDOW_SIZE;

    /**
     * Calls refused for their key after which a connection is closed that has no others. The client may reset as many
     * before they are answered: resets come faster than keys are looked up, and each waits for a look-up.
     */
    static final int REFUSALS = 100;

    /**
     * Streams' windows in a connection's: one call that is served slowly holds up no other, and so many of them are the
     * most that a connection has sent and no call has read.
     */
    private static final int FULL_STREAMS = 4;

    /** The time that a connection has to send its GOAWAY and close. */
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    /** The time that calls have which began while their idle connection was being closed. */
    private static final Duration LAST_CALLS = Duration.ofSeconds(10);

    private final ListenerConnections all;
    private final ChannelHandlerContext first;
    private final GrpcHttp2ConnectionHandler handler;
    private final ListenerConnections.CallWindows windows;
    private final @Nullable SocketAddress local;
    private final @Nullable SocketAddress remote;
    private final AtomicInteger refusals = new AtomicInteger();
    private final HeldBytes held = new HeldBytes();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicBoolean sentElsewhere = new AtomicBoolean();

    /** Resets so far; for the connection's event loop. */
    private int resets;

    private volatile CallerAddress caller;
    private volatile @Nullable Object holder;
    private volatile boolean admitted;
    private volatile boolean ofUse;

    private AcceptedConnection(
            ListenerConnections all,
            ChannelHandlerContext first,
            GrpcHttp2ConnectionHandler handler,
            ListenerConnections.CallWindows windows) {
        this.all = all;
        this.first = first;
        this.handler = handler;
        this.windows = windows;
        this.local = channel().localAddress();
        this.remote = channel().remoteAddress();
        this.caller = CallerAddress.of(remote);
    }

    /**
     * Counts a connection that was accepted a moment ago, on its event loop.
     *
     * @param first of its handlers
     * @param handler of its frames
     * @param windows of its calls, once it is admitted
     */
    static AcceptedConnection begin(
            ListenerConnections all,
            ChannelHandlerContext first,
            GrpcHttp2ConnectionHandler handler,
            ListenerConnections.CallWindows windows) {
        AcceptedConnection connection = new AcceptedConnection(all, first, handler, windows);
        var _ = connection.channel().closeFuture().addListener(_ -> all.remove(connection));
        all.add(connection);
        connection.http2().addListener(connection.new CallEndListener());
        var _ = connection
                .channel()
                .eventLoop()
                .schedule(connection::endIfSilent, SILENCE.toMillis(), TimeUnit.MILLISECONDS);
        return connection;
    }

    private Channel channel() {
        return first.channel();
    }

    @Nullable
    SocketAddress local() {
        return local;
    }

    /** The far end of the socket: the client, or the load balancer that it came through. */
    @Nullable
    SocketAddress remote() {
        return remote;
    }

    CallerAddress caller() {
        return caller;
    }

    /** A load balancer named the client, before any other byte. */
    void comesFrom(SocketAddress client) {
        all.move(this, CallerAddress.of(client));
    }

    /** For {@link ListenerConnections}, which counts by it. */
    void caller(CallerAddress next) {
        caller = next;
    }

    /** For whom it counts; null until it is admitted. For {@link ListenerConnections}, with its lock held. */
    @Nullable
    Object holder() {
        return holder;
    }

    void holder(Object next) {
        holder = next;
    }

    @Override
    public Object origin() {
        return caller.origin();
    }

    @Override
    public HeldBytes held() {
        return held;
    }

    @Override
    public boolean isAdmitted() {
        return admitted;
    }

    @Override
    public boolean admit(Object holder) {
        if (admitted) {
            return true;
        }
        if (!all.admit(this, holder)) {
            close(ListenerConnections.CloseReason.FULL);
            return false;
        }
        admitted = true;
        inEventLoop(this::widen);
        return true;
    }

    @Override
    public void answered() {
        ofUse = true;
    }

    /** Whether health was asked for on it. */
    boolean isOfUse() {
        return ofUse;
    }

    @Override
    public void refused() {
        if (!admitted && refusals.incrementAndGet() == REFUSALS) {
            close(ListenerConnections.CloseReason.STRANGER);
        }
    }

    @Override
    public void sendElsewhere() {
        if (!sentElsewhere.getAndSet(true)) {
            inEventLoop(() -> {
                ChannelHandlerContext context = channel().pipeline().context(handler);
                if (context != null) {
                    // As gRPC begins a graceful end: open calls go on, and the client closes the connection when they
                    // are done.
                    var _ = handler.goAway(
                            context,
                            Integer.MAX_VALUE,
                            Http2Error.NO_ERROR.code(),
                            ByteBufUtil.writeAscii(context.alloc(), "the process drains"),
                            context.newPromise());
                    context.flush();
                }
            });
        }
    }

    private Http2Connection http2() {
        return handler.connection();
    }

    /** Hears of calls that are over, in the event loop. */
    private final class CallEndListener extends Http2ConnectionAdapter {
        @Override
        public void onStreamClosed(Http2Stream stream) {
            boolean byClient = !stream.isHeadersSent() && !stream.isResetSent();
            if (byClient && ++resets >= REFUSALS && !admitted) {
                close(ListenerConnections.CloseReason.STRANGER);
            }
        }

        /** The resets of an admitted connection count as new connections of its address. */
        @Override
        public void onGoAwaySent(int lastStream, long error, ByteBuf text) {
            if (admitted && error == Http2Error.ENHANCE_YOUR_CALM.code()) {
                all.turns().charge(origin(), resets / REFUSALS);
            }
        }
    }

    /** Whether it has no calls; one may begin at any time. */
    boolean isIdle() {
        return http2().numActiveStreams() == 0;
    }

    private void inEventLoop(Runnable action) {
        if (channel().eventLoop().inEventLoop()) {
            action.run();
        } else {
            channel().eventLoop().execute(action);
        }
    }

    private void endIfSilent() {
        if (!admitted && !ofUse) {
            close(ListenerConnections.CloseReason.SILENT);
        }
    }

    /** Lets the client send as much as is set, on streams that are open too, and in larger frames. */
    private void widen() {
        ChannelHandlerContext context = channel().pipeline().context(handler);
        if (context == null) {
            return;
        }
        Http2LocalFlowController flow = http2().local().flowController();
        int ofConnection = (int) Math.min(Integer.MAX_VALUE, (long) windows.callBytes() * FULL_STREAMS);
        try {
            flow.incrementWindowSize(http2().connectionStream(), ofConnection - STRANGERS_WINDOW);
            flow.initialWindowSize(windows.callBytes());
        } catch (Http2Exception e) {
            throw new IllegalStateException("windows only grow here", e);
        }
        // Frames may be larger once the client has acknowledged that.
        var _ = handler.encoder()
                .writeSettings(
                        context,
                        new Http2Settings()
                                .initialWindowSize(windows.callBytes())
                                .maxFrameSize(windows.frameBytes()),
                        context.newPromise());
        context.flush();
    }

    /** Says goodbye and closes. */
    void close(ListenerConnections.CloseReason reason) {
        if (!closing.getAndSet(true)) {
            all.count(reason);
            all.remove(this);
            inEventLoop(() -> sayGoodbye(reason));
        }
    }

    private void sayGoodbye(ListenerConnections.CloseReason reason) {
        ChannelHandlerContext context = channel().pipeline().context(handler);
        if (context == null) {
            // Before any frame, the handshake included.
            var _ = first.close();
            return;
        }
        if (reason == ListenerConnections.CloseReason.IDLE) {
            // A call may have begun meanwhile, and ends well: the transport refuses only later calls.
            var _ = channel().close();
            endIn(LAST_CALLS);
            return;
        }
        Http2Error error =
                reason == ListenerConnections.CloseReason.STRANGER ? Http2Error.ENHANCE_YOUR_CALM : Http2Error.NO_ERROR;
        var _ = handler.goAway(
                        context,
                        http2().remote().lastStreamCreated(),
                        error.code(),
                        ByteBufUtil.writeAscii(context.alloc(), text(reason)),
                        context.newPromise())
                .addListener(_ -> {
                    if (reason != ListenerConnections.CloseReason.FULL) {
                        var _ = first.close();
                    }
                });
        context.flush();
        endIn(GOODBYE);
    }

    private void endIn(Duration time) {
        Runnable end = () -> {
            var _ = first.close();
        };
        var _ = channel().eventLoop().schedule(end, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private String text(ListenerConnections.CloseReason reason) {
        return switch (reason) {
            case SILENT -> "no call with a good API key in " + SILENCE.toSeconds() + " s";
            case DISPLACED, IDLE -> "other clients need the connection";
            case STRANGER -> REFUSALS + " calls without a good API key";
            case RATE -> "the address begins too many connections without a good API key";
            case HEADER -> "no header of the PROXY protocol, version 2";
            case FULL -> "the server has " + all.limit() + " connections, which is all it takes";
        };
    }
}
