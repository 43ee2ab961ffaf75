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
 * One connection of the gRPC listener. Until a call on the connection has shown a good key, it may send only a small
 * window ahead of its calls, is closed if no such call comes, and may be closed to make room for others. Thread-safe.
 */
public final class AcceptedConnection implements CallerConnection {
    /** The time, handshakes included, in which a call has to come. */
    public static final Duration SILENCE = Duration.ofSeconds(10);

    /** The bytes that a connection without a good key may send before its calls read them: HTTP/2's own window. */
    public static final int STRANGERS_WINDOW = Http2CodecUtil.DEFAULT_WINDOW_SIZE;

    /**
     * The number of calls refused for their key after which a connection without other calls is closed. The client may
     * reset as many calls before they are answered: resets come faster than keys are looked up, and each call waits for
     * a look-up.
     */
    static final int REFUSALS = 100;

    /**
     * The window of a connection, as a multiple of its streams' windows: one call that is served slowly holds up no
     * other. A connection has sent at most this much that no call has read.
     */
    private static final int FULL_STREAMS = 4;

    /** The time that a connection has to send its GOAWAY and close. */
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    /** The time for calls that began while their idle connection was being closed. */
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

    /** The number of resets so far. Only the connection's event loop uses it. */
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
     * @param first the first of its handlers
     * @param handler the handler of its frames
     * @param windows the windows of its calls, once it is admitted
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

    /** The far end of the socket: the client, or the load balancer before it. */
    @Nullable
    SocketAddress remote() {
        return remote;
    }

    CallerAddress caller() {
        return caller;
    }

    /** Sets the address of the client, which a load balancer named before any other byte. */
    void comesFrom(SocketAddress client) {
        all.move(this, CallerAddress.of(client));
    }

    /** Sets the caller. Only {@link ListenerConnections} calls this, since it counts by caller. */
    void caller(CallerAddress next) {
        caller = next;
    }

    /**
     * The holder for which the connection counts; null until it is admitted. Only {@link ListenerConnections} calls
     * this, with its lock held.
     */
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

    /** Whether a health check came over the connection. */
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
                    // gRPC begins a graceful end in this way: open calls go on, and the client closes the connection
                    // when they are done.
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

    /** Learns of calls that are over, in the event loop. */
    private final class CallEndListener extends Http2ConnectionAdapter {
        @Override
        public void onStreamClosed(Http2Stream stream) {
            boolean byClient = !stream.isHeadersSent() && !stream.isResetSent();
            if (byClient && ++resets >= REFUSALS && !admitted) {
                close(ListenerConnections.CloseReason.STRANGER);
            }
        }

        /** Charges the resets of an admitted connection to its address as new connections. */
        @Override
        public void onGoAwaySent(int lastStream, long error, ByteBuf text) {
            if (admitted && error == Http2Error.ENHANCE_YOUR_CALM.code()) {
                all.turns().charge(origin(), resets / REFUSALS);
            }
        }
    }

    /** Whether the connection has no calls; one may begin at any time. */
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

    /** Widens the windows to the settings, also those of open streams, and allows larger frames. */
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
        // Larger frames are allowed once the client has acknowledged the setting.
        var _ = handler.encoder()
                .writeSettings(
                        context,
                        new Http2Settings()
                                .initialWindowSize(windows.callBytes())
                                .maxFrameSize(windows.frameBytes()),
                        context.newPromise());
        context.flush();
    }

    /** Sends a GOAWAY and closes the connection. */
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
            // No frame has come yet; this covers the handshake, too.
            var _ = first.close();
            return;
        }
        if (reason == ListenerConnections.CloseReason.IDLE) {
            // A call that began meanwhile ends well: the transport refuses only later calls.
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
