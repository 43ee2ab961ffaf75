package dev.kvstore.simulation.sockets;

import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelId;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One end of a connection, as Netty sees it. It replaces a socket of the operating system. */
public final class SimulatedSocket extends AbstractChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false);

    private enum SocketState {
        UNCONNECTED,
        CONNECTED,
        CLOSED
    }

    private final ChannelConfig config = new DefaultChannelConfig(this);
    private final SimulatedSockets sockets = SimulatedSockets.current();
    private final SimulatedHost host;
    private @Nullable InetSocketAddress local;
    private @Nullable InetSocketAddress remote;
    private @Nullable SimulatedSocket peer;
    private @Nullable ChannelPromise connecting;
    private SocketState state = SocketState.UNCONNECTED;

    /** Bytes that came and were not read; the last of them may be the peer's goodbye. */
    private final Deque<byte[]> unread = new ArrayDeque<>();

    private boolean isPeerGone;
    private boolean wantsBytes;

    /** The events on their way here, such as the receipt of bytes, in the order in which they were sent. */
    private final Deque<Runnable> coming = new ArrayDeque<>();

    private long lastComesAt;

    /** A socket that is to connect, of the host that makes it. */
    public SimulatedSocket() {
        super(null);
        this.host = World.current().host();
    }

    /** The server's end of a connection that a server took. */
    SimulatedSocket(SimulatedServerSocket server, InetSocketAddress local, SimulatedSocket client) {
        super(server);
        this.host = server.host();
        this.local = local;
        this.remote = client.local;
        this.peer = client;
        this.state = SocketState.CONNECTED;
    }

    SimulatedHost host() {
        return host;
    }

    @Nullable
    SimulatedSocket peer() {
        return peer;
    }

    @Nullable
    InetSocketAddress local() {
        return local;
    }

    /** The time at which the last event on its way here comes. An event that is sent now comes later. */
    long lastComesAt() {
        return lastComesAt;
    }

    /** An event comes at a time, after all events that were sent before it. */
    void comes(long at, Runnable what) {
        lastComesAt = at;
        coming.add(what);
    }

    /** The first event on its way is there. A thawed host hears of all events at once, in no order. */
    void came() {
        onLoop(() -> {
            Runnable first = coming.poll();
            if (first != null) {
                first.run();
            }
        });
    }

    private void onLoop(Runnable step) {
        if (state == SocketState.CLOSED) {
            return;
        }
        if (!isRegistered()) {
            // The socket is accepted, and its server has not heard of it yet.
            var _ = sockets.later(host, () -> onLoop(step));
            return;
        }
        try {
            eventLoop().execute(step);
        } catch (RejectedExecutionException e) {
            state = SocketState.CLOSED;
        }
    }

    // The event loop runs the methods that follow.

    void connected(SimulatedSocket other) {
        ChannelPromise promise = connecting;
        connecting = null;
        if (promise == null || state == SocketState.CLOSED) {
            sockets.send(this, other, other::peerLeft);
            return;
        }
        peer = other;
        remote = other.local;
        state = SocketState.CONNECTED;
        boolean isWanted = promise.trySuccess();
        var _ = pipeline().fireChannelActive();
        if (!isWanted) {
            unsafe().close(unsafe().voidPromise());
        }
    }

    void unconnected(IOException why) {
        ChannelPromise promise = connecting;
        connecting = null;
        if (promise != null) {
            var _ = promise.tryFailure(why);
        }
    }

    void received(byte[] bytes) {
        if (state == SocketState.CONNECTED) {
            unread.add(bytes);
            readIfWanted();
        }
    }

    /** The peer has closed its end. */
    void peerLeft() {
        isPeerGone = true;
        if (state == SocketState.CONNECTED) {
            readIfWanted();
        }
    }

    /** The connection is gone, and so are the bytes that were not read. */
    void wasReset() {
        if (state == SocketState.CONNECTED) {
            isPeerGone = true;
            unread.clear();
            var _ = pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
            unsafe().close(unsafe().voidPromise());
        }
    }

    /** Closes a socket that no process took. */
    void hangUp() {
        state = SocketState.CLOSED;
        SimulatedSocket other = peer;
        if (other != null) {
            sockets.send(this, other, other::wasReset);
        }
    }

    private void readIfWanted() {
        if (state != SocketState.CONNECTED || !wantsBytes || (unread.isEmpty() && !isPeerGone)) {
            return;
        }
        wantsBytes = false;
        var sizes = unsafe().recvBufAllocHandle();
        sizes.reset(config);
        while (!unread.isEmpty() && state == SocketState.CONNECTED) {
            ByteBuf buffer = sizes.allocate(alloc());
            sizes.attemptedBytesRead(buffer.writableBytes());
            byte[] first = unread.remove();
            int taken = Math.min(first.length, buffer.writableBytes());
            var _ = buffer.writeBytes(first, 0, taken);
            if (taken < first.length) {
                unread.addFirst(Arrays.copyOfRange(first, taken, first.length));
            }
            sizes.lastBytesRead(taken);
            sizes.incMessagesRead(1);
            var _ = pipeline().fireChannelRead(buffer);
            if (!sizes.continueReading()) {
                break;
            }
        }
        sizes.readComplete();
        var _ = pipeline().fireChannelReadComplete();
        if (isPeerGone && unread.isEmpty() && state == SocketState.CONNECTED) {
            unsafe().close(unsafe().voidPromise());
        }
    }

    @Override
    protected void doBeginRead() {
        wantsBytes = true;
        if (!unread.isEmpty() || isPeerGone) {
            eventLoop().execute(this::readIfWanted);
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer out) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Object message = out.current(); message != null; message = out.current()) {
            ByteBuf buffer = (ByteBuf) message;
            buffer.getBytes(buffer.readerIndex(), bytes, buffer.readableBytes());
            out.remove();
        }
        SimulatedSocket other = peer;
        if (other != null && bytes.size() > 0) {
            sockets.send(this, other, bytes.toByteArray());
        }
    }

    @Override
    protected void doClose() {
        SocketState before = state;
        state = SocketState.CLOSED;
        ChannelPromise promise = connecting;
        connecting = null;
        if (promise != null) {
            var _ = promise.tryFailure(new IOException("closed before it was connected"));
        }
        SimulatedSocket other = peer;
        if (before == SocketState.CONNECTED && other != null) {
            sockets.closed(this);
            if (!isPeerGone) {
                sockets.send(this, other, other::peerLeft);
            }
        }
    }

    private final class SocketUnsafe extends AbstractUnsafe {
        @Override
        public void connect(SocketAddress address, @Nullable SocketAddress from, ChannelPromise promise) {
            if (!promise.setUncancellable() || !ensureOpen(promise)) {
                return;
            }
            if (connecting != null || state != SocketState.UNCONNECTED) {
                var _ = promise.tryFailure(new ConnectException("connected before"));
                return;
            }
            connecting = promise;
            local = sockets.nextLocal(host);
            remote = (InetSocketAddress) address;
            sockets.connect(SimulatedSocket.this, remote);
            int timeout = config.getConnectTimeoutMillis();
            var _ = eventLoop()
                    .schedule(
                            () -> unconnected(new ConnectTimeoutException("connection timed out: " + address)),
                            timeout,
                            TimeUnit.MILLISECONDS);
        }
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new SocketUnsafe();
    }

    @Override
    protected ChannelId newId() {
        return SimulatedSockets.current().nextId();
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true;
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return local;
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return remote;
    }

    @Override
    protected void doBind(SocketAddress address) {
        local = (InetSocketAddress) address;
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return state != SocketState.CLOSED;
    }

    @Override
    public boolean isActive() {
        return state == SocketState.CONNECTED;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }
}
