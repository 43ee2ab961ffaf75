package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.util.AsciiString;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 connection whose frames are written one by one, in any order and as wrong as one likes; received bytes are
 * read and dropped, pings and settings are answered. For one thread.
 */
final class RawConnection implements Closeable {
    /** Before the payload of a frame. */
    static final int FRAME_BYTES = 9;

    /** The position of the stream's number in a frame. */
    static final int STREAM_AT = 5;

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int MOST_BYTES = 1 << 14;
    private static final byte[] ZEROES = new byte[MOST_BYTES];

    // RFC 9113, section 6.9.2.
    private static final int STANDARD_WINDOW = 65_535;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int SETTING_BYTES = 6;
    private static final int MOST_KEPT = 256;

    private final Socket socket;
    private final DataOutputStream out;
    private final Http2HeadersEncoder encoder =
            new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, false);
    private final CountDownLatch settled = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int streamWindow = STANDARD_WINDOW;
    private final AtomicLong connectionWindow = new AtomicLong(STANDARD_WINDOW);
    private int nextStream = 1;
    private boolean begun;

    private RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Connects, and begins with no settings of its own. */
    static RawConnection open(String endpoint) throws IOException {
        Socket socket = connect(endpoint);
        try {
            RawConnection connection = new RawConnection(socket);
            connection.out.write(PREFACE);
            connection.frame(SETTINGS, 0, 0, new byte[0]);
            connection.flush();
            Thread.startVirtualThread(connection::readAll);
            return connection;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket connect(String endpoint) throws IOException {
        int colon = endpoint.lastIndexOf(':');
        Socket socket = new Socket();
        try {
            AttackerAddress.bind(socket);
            socket.connect(
                    new InetSocketAddress(
                            endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1))),
                    TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void readAll() {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), MOST_BYTES))) {
            while (true) {
                int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                byte[] payload = length <= MOST_KEPT ? in.readNBytes(length) : skip(in, length);
                heed(type, flags, stream, payload);
                if ((type == PING || type == SETTINGS) && (flags & ACK) == 0) {
                    synchronized (out) {
                        frame(type, ACK, 0, type == PING ? payload : new byte[0]);
                        out.flush();
                    }
                }
            }
        } catch (IOException closed) {
            // The writer notices, too.
        } finally {
            ended.countDown();
        }
    }

    /** Waits until the server has closed the connection, at most so long. */
    void awaitEnd(long millis) throws InterruptedException {
        var _ = ended.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Whether {@link #begun} was called. */
    boolean hasBegun() {
        return begun;
    }

    /** Notes that bytes which are sent once were sent. */
    void begun() {
        begun = true;
    }

    private void heed(int type, int flags, int stream, byte[] payload) {
        if (type == WINDOW_UPDATE && stream == 0) {
            connectionWindow.addAndGet(ByteBuffer.wrap(payload).getInt());
        } else if (type == SETTINGS && (flags & ACK) == 0) {
            ByteBuffer settings = ByteBuffer.wrap(payload);
            while (settings.remaining() >= SETTING_BYTES) {
                if (settings.getShort() == INITIAL_WINDOW_SIZE) {
                    streamWindow = settings.getInt();
                } else {
                    settings.getInt();
                }
            }
            settled.countDown();
        }
    }

    /**
     * Bytes of messages that a new call may send at once.
     *
     * @param millis to wait for the server's settings
     */
    int window(long millis) throws InterruptedException {
        var _ = settled.await(millis, TimeUnit.MILLISECONDS);
        return (int) Math.min(streamWindow, connectionWindow.get());
    }

    private static byte[] skip(DataInputStream in, int length) throws IOException {
        in.skipNBytes(length);
        return new byte[0];
    }

    /** Writes a frame; {@link #flush} sends it. */
    void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        synchronized (out) {
            out.writeByte(payload.length >>> 16);
            out.writeShort(payload.length);
            out.writeByte(type);
            out.writeByte(flags);
            out.writeInt(stream);
            out.write(payload);
        }
    }

    void flush() throws IOException {
        synchronized (out) {
            out.flush();
        }
    }

    /**
     * Writes the headers of a new gRPC call.
     *
     * @param path such as {@code /grpc.health.v1.Health/Check}
     * @param authorization null for none
     * @return its stream
     */
    int call(String path, @Nullable String authorization) throws IOException {
        int stream = nextStream;
        nextStream += 2;
        frame(HEADERS, END_HEADERS, stream, headers(stream, path, authorization));
        return stream;
    }

    /** The block of headers of a gRPC call. */
    byte[] headers(int stream, String path, @Nullable String authorization) throws IOException {
        Http2Headers headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path(path)
                .authority("kvstore")
                .add(AsciiString.of("content-type"), "application/grpc")
                .add(AsciiString.of("te"), "trailers");
        if (authorization != null) {
            headers.add(AsciiString.of("authorization"), authorization);
        }
        ByteBuf bytes = Unpooled.buffer();
        try {
            encoder.encodeHeaders(stream, headers, bytes);
            return ByteBufUtil.getBytes(bytes);
        } catch (Http2Exception e) {
            throw new IOException(e);
        }
    }

    /**
     * Writes the beginning of a gRPC message whose announced length is longer than the bytes that are sent.
     *
     * @param sentBytes zeroes that follow the message's own beginning
     */
    void half(int stream, int messageBytes, int sentBytes) throws IOException {
        frame(
                DATA,
                0,
                stream,
                ByteBuffer.allocate(5).put((byte) 0).putInt(messageBytes).array());
        for (int left = sentBytes; left > 0; left -= ZEROES.length) {
            frame(DATA, 0, stream, left < ZEROES.length ? new byte[left] : ZEROES);
        }
    }

    /** Writes bytes of a message in frames of at most 16 KiB. */
    void data(int stream, byte[] bytes, boolean end) throws IOException {
        int offset = 0;
        do {
            int length = Math.min(MOST_BYTES, bytes.length - offset);
            byte[] part = new byte[length];
            System.arraycopy(bytes, offset, part, 0, length);
            offset += length;
            frame(DATA, end && offset == bytes.length ? END_STREAM : 0, stream, part);
        } while (offset < bytes.length);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
