package dev.kvstore.dataplane.service;

import dev.kvstore.testing.Patience;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection in clear whose client sends any HTTP/2 frames in any order, and never ends a call by itself.
 * Thread-safe.
 */
final class RawClientConnection implements AutoCloseable {
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int ACK = 1;
    private static final int FRAME_BYTES = 16 * 1024;

    private final Socket socket;
    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    private final Map<Integer, Long> windows = new HashMap<>();
    private final Map<Integer, Boolean> ended = new HashMap<>();
    private long initialWindow = Http2CodecUtil.DEFAULT_WINDOW_SIZE;
    private long mostFrameBytes = Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE;
    private long connectionWindow = Http2CodecUtil.DEFAULT_WINDOW_SIZE;
    private int pongs;
    private int unacknowledged;
    private final boolean late;
    private boolean ready;
    private boolean goneAway;
    private long reason = -1;
    private boolean closed;

    /** Connects and says the preface, and waits until the server has said its own or is gone. */
    RawClientConnection(int port) {
        this("127.0.0.1", port, false, new byte[0]);
    }

    /** A connection from an address of this machine. */
    RawClientConnection(String from, int port) {
        this(from, port, false, new byte[0]);
    }

    /** A connection from an address of this machine that sends bytes before the preface. */
    RawClientConnection(String from, int port, byte[] header) {
        this(from, port, false, header);
    }

    /**
     * As above.
     *
     * @param late whether settings are acknowledged only by {@link #acknowledgeAll}
     */
    RawClientConnection(String from, int port, boolean late) {
        this(from, port, late, new byte[0]);
    }

    private RawClientConnection(String from, int port, boolean late, byte[] header) {
        this.late = late;
        try {
            socket = new Socket("127.0.0.1", port, InetAddress.getByName(from), 0);
            out = socket.getOutputStream();
            out.write(header);
            out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        frame(Http2FrameTypes.SETTINGS, 0, 0, Unpooled.EMPTY_BUFFER);
        Thread.startVirtualThread(this::read);
        boolean _ = await(() -> ready || closed);
    }

    /** A condition over this connection's state, asked with the lock held. */
    @FunctionalInterface
    private interface ConnectionCondition {
        boolean holds();
    }

    private boolean await(ConnectionCondition state) {
        lock.lock();
        try {
            long left = Patience.LIMIT.toNanos();
            while (!state.holds()) {
                if (left <= 0) {
                    throw new AssertionError("nothing happened for " + Patience.LIMIT);
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                byte[] payload = in.readNBytes(length);
                lock.lock();
                try {
                    hear(type, flags, stream, Unpooled.wrappedBuffer(payload));
                    changed.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        } catch (IOException e) {
            lock.lock();
            try {
                closed = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void hear(int type, int flags, int stream, ByteBuf payload) {
        switch (type) {
            case Http2FrameTypes.SETTINGS -> {
                if ((flags & ACK) == 0) {
                    ready = true;
                    settings(payload);
                    unacknowledged++;
                    if (!late) {
                        acknowledgeAll();
                    }
                }
            }
            case Http2FrameTypes.WINDOW_UPDATE -> {
                if (stream == 0) {
                    connectionWindow += payload.readInt();
                } else {
                    windows.merge(stream, (long) payload.readInt(), Long::sum);
                }
            }
            case Http2FrameTypes.PING -> {
                if ((flags & ACK) == 0) {
                    frame(Http2FrameTypes.PING, ACK, 0, payload);
                } else {
                    pongs++;
                }
            }
            case Http2FrameTypes.HEADERS, Http2FrameTypes.DATA -> {
                if ((flags & END_STREAM) != 0) {
                    ended.put(stream, true);
                }
            }
            case Http2FrameTypes.RST_STREAM -> ended.put(stream, true);
            case Http2FrameTypes.GO_AWAY -> {
                goneAway = true;
                reason = payload.skipBytes(Integer.BYTES).readUnsignedInt();
            }
            default -> {}
        }
    }

    private void settings(ByteBuf payload) {
        while (payload.isReadable()) {
            int name = payload.readUnsignedShort();
            long value = payload.readUnsignedInt();
            if (name == Http2CodecUtil.SETTINGS_MAX_FRAME_SIZE) {
                mostFrameBytes = value;
            } else if (name == Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE) {
                long more = value - initialWindow;
                initialWindow = value;
                windows.replaceAll((_, window) -> window + more);
            }
        }
    }

    /** Acknowledges the settings that have come. */
    void acknowledgeAll() {
        lock.lock();
        try {
            for (; unacknowledged > 0; unacknowledged--) {
                frame(Http2FrameTypes.SETTINGS, ACK, 0, Unpooled.EMPTY_BUFFER);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends one frame; one to a server that has closed the connection goes nowhere. */
    void frame(int type, int flags, int stream, ByteBuf payload) {
        lock.lock();
        try {
            ByteBuf frame = Unpooled.buffer(9 + payload.readableBytes());
            frame.writeMedium(payload.readableBytes())
                    .writeByte(type)
                    .writeByte(flags)
                    .writeInt(stream);
            frame.writeBytes(payload);
            frame.readBytes(out, frame.readableBytes());
            out.flush();
        } catch (IOException e) {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Begins a call; no key is shown if it is null. */
    void call(int stream, String method, @Nullable String key) {
        Http2Headers headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path("/" + method)
                .authority("raw")
                .set("content-type", "application/grpc")
                .set("te", "trailers");
        if (key != null) {
            headers.set("authorization", "Bearer " + key);
        }
        lock.lock();
        try {
            windows.put(stream, initialWindow);
            ByteBuf block = Unpooled.buffer();
            encoder.encodeHeaders(stream, headers, block);
            frame(Http2FrameTypes.HEADERS, END_HEADERS, stream, block);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends the beginning of a message, as far as the server lets it: until so much is sent, the call ended, or the
     * connection is closed.
     *
     * @param claimed bytes that the message says it has
     * @param sent bytes of it that are sent
     */
    void halfMessage(int stream, int claimed, int sent) {
        send(stream, Unpooled.buffer(5).writeByte(0).writeInt(claimed));
        ByteBuf chunk = Unpooled.wrappedBuffer(new byte[FRAME_BYTES]);
        for (int at = 0; at < sent && !isOver(stream); at += FRAME_BYTES) {
            send(stream, chunk.slice(0, Math.min(FRAME_BYTES, sent - at)));
        }
    }

    private void send(int stream, ByteBuf data) {
        int bytes = data.readableBytes();
        boolean _ =
                await(() -> isOver(stream) || (connectionWindow >= bytes && windows.getOrDefault(stream, 0L) >= bytes));
        lock.lock();
        try {
            if (!isOver(stream)) {
                connectionWindow -= bytes;
                windows.merge(stream, (long) -bytes, Long::sum);
                frame(Http2FrameTypes.DATA, 0, stream, data);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the server takes frames of so many bytes, as far as it has said. */
    void awaitFrames(long bytes) {
        boolean _ = await(() -> closed || goneAway || mostFrameBytes >= bytes);
    }

    /** Sends one frame of a message, whatever size the server takes. */
    void oneFrame(int stream, int bytes) {
        send(stream, Unpooled.buffer(bytes).writeByte(0).writeInt(1 << 20).writeZero(bytes - 5));
    }

    /** Sends a whole message, and that no other follows. */
    void message(int stream, byte[] message) {
        ByteBuf data = Unpooled.buffer(5 + message.length).writeByte(0).writeInt(message.length);
        frame(Http2FrameTypes.DATA, END_STREAM, stream, data.writeBytes(message));
    }

    /** Asks for an answer that nobody waits for. */
    void ping() {
        frame(Http2FrameTypes.PING, 0, 0, Unpooled.buffer(8).writeLong(2));
    }

    /** Begins headers, of which there is more to come. */
    void headersWithoutEnd(int stream) {
        frame(Http2FrameTypes.HEADERS, 0, stream, Unpooled.EMPTY_BUFFER);
    }

    /** Goes on with headers, of which there is more to come: a field of so many bytes. */
    void moreHeaders(int stream, int bytes) {
        lock.lock();
        try {
            ByteBuf block = Unpooled.buffer();
            encoder.encodeHeaders(stream, new DefaultHttp2Headers().set("x-" + bytes, "x".repeat(bytes)), block);
            frame(Http2FrameTypes.CONTINUATION, 0, stream, block);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver(int stream) {
        lock.lock();
        try {
            return closed || goneAway || ended.containsKey(stream);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a call from here. */
    void reset(int stream) {
        frame(Http2FrameTypes.RST_STREAM, 0, stream, Unpooled.buffer(4).writeInt(8));
    }

    /** Waits until the server has handled all that was sent before, or is gone. */
    void settle() {
        int before;
        lock.lock();
        try {
            before = pongs;
        } finally {
            lock.unlock();
        }
        frame(Http2FrameTypes.PING, 0, 0, Unpooled.buffer(8).writeLong(1));
        boolean _ = await(() -> pongs > before || closed || goneAway);
    }

    /** Waits until the server has ended the connection, or said that it will. */
    void awaitGone() {
        boolean _ = await(() -> closed || goneAway);
    }

    /** The error that the server ended the connection with; -1 if it has not said one. */
    long reason() {
        lock.lock();
        try {
            return reason;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until so many bytes may be sent for one more call. */
    void awaitRoom(long bytes) {
        boolean _ = await(() -> closed || Math.min(connectionWindow, initialWindow) >= bytes);
    }

    /** Waits until the server has ended a call. */
    void awaitEnd(int stream) {
        boolean _ = await(() -> isOver(stream));
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed || goneAway;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes that may be sent for one more call before the server reads them. */
    long room() {
        lock.lock();
        try {
            return Math.min(connectionWindow, initialWindow);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
