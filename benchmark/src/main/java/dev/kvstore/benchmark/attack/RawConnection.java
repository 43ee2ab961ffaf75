package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * An HTTP/2 connection whose frames are written one by one, in any order and as wrong as one likes; received bytes are
 * read and dropped, pings and settings are answered. For one thread, except for closing.
 */
final class RawConnection implements AutoCloseable {
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

    // RFC 9113, section 6.9.2.
    private static final int STANDARD_WINDOW = 65_535;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int SETTING_BYTES = 6;
    private static final int MOST_KEPT = 256;

    // RFC 7541, section 5.1: the lengths that one byte holds.
    private static final int SHORT_TEXT = 127;

    /**
     * An address of this machine that no honest client has, as an attacker elsewhere would have one of its own. Linux
     * has all of 127.0.0.0/8; elsewhere attackers and honest clients share 127.0.0.1.
     */
    private static final InetAddress ATTACKER = InetAddress.ofLiteral("127.0.0.66");

    private static final boolean LINUX = "Linux".equals(System.getProperty("os.name"));

    private final Socket socket;
    private final OutputStream out;
    private final CountDownLatch settled = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int streamWindow = STANDARD_WINDOW;
    private final AtomicLong connectionWindow = new AtomicLong(STANDARD_WINDOW);
    private int nextStream = 1;
    private boolean begun;

    private RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        // It writes each array as a whole, also if two threads write.
        this.out = new BufferedOutputStream(socket.getOutputStream());
    }

    /**
     * Connects, and begins with no settings of its own.
     *
     * @param endpoint host:port
     */
    static RawConnection open(String endpoint) throws IOException {
        int colon = endpoint.lastIndexOf(':');
        Socket socket = new Socket();
        try {
            if (LINUX) {
                socket.bind(new InetSocketAddress(ATTACKER, 0));
            }
            socket.connect(
                    new InetSocketAddress(
                            endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1))),
                    TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            RawConnection connection = new RawConnection(socket);
            connection.write(PREFACE);
            connection.write(frame(SETTINGS, 0, 0));
            connection.flush();
            Thread.startVirtualThread(connection::readAll);
            return connection;
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
                byte[] payload = in.readNBytes(Math.min(length, MOST_KEPT));
                in.skipNBytes(length - payload.length);
                if (type == WINDOW_UPDATE && stream == 0) {
                    connectionWindow.addAndGet(ByteBuffer.wrap(payload).getInt());
                } else if ((type == SETTINGS || type == PING) && (flags & ACK) == 0) {
                    if (type == SETTINGS) {
                        settle(ByteBuffer.wrap(payload));
                    }
                    write(frame(type, ACK, 0, type == PING ? payload : new byte[0]));
                    flush();
                }
            }
        } catch (IOException closed) {
            // The writer notices, too.
        } finally {
            ended.countDown();
        }
    }

    private void settle(ByteBuffer settings) {
        while (settings.remaining() >= SETTING_BYTES) {
            boolean window = settings.getShort() == INITIAL_WINDOW_SIZE;
            int value = settings.getInt();
            streamWindow = window ? value : streamWindow;
        }
        settled.countDown();
    }

    /** Waits until the server has closed the connection, at most so long. */
    void awaitEnd(long millis) throws InterruptedException {
        var _ = ended.await(millis, TimeUnit.MILLISECONDS);
    }

    /** True the first time: what is sent once on a connection is sent then. */
    boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
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

    /** The number of the first of so many new streams. */
    int newStreams(int count) {
        int first = nextStream;
        nextStream += 2 * count;
        return first;
    }

    static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(FRAME_BYTES + payload.length)
                .put((byte) (payload.length >>> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /**
     * The frame with the headers of a gRPC call. No header refers to another one (RFC 7541, section 6.2.2: without
     * indexing, of new names), so that the same bytes serve again.
     *
     * @param path such as {@code /grpc.health.v1.Health/Check}
     * @param more names and values of headers in turn, of at most 254 characters each
     */
    static byte[] headers(int stream, String path, String... more) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        String[] first = {
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            path,
            ":authority",
            "kvstore",
            "content-type",
            "application/grpc",
            "te",
            "trailers"
        };
        String[] texts =
                Stream.concat(Arrays.stream(first), Arrays.stream(more)).toArray(String[]::new);
        for (int i = 0; i < texts.length; i++) {
            if (i % 2 == 0) {
                block.write(0);
            }
            block.write(Math.min(texts[i].length(), SHORT_TEXT));
            if (texts[i].length() >= SHORT_TEXT) {
                block.write(texts[i].length() - SHORT_TEXT);
            }
            block.writeBytes(texts[i].getBytes(US_ASCII));
        }
        return frame(HEADERS, END_HEADERS, stream, block.toByteArray());
    }

    /** Writes bytes; {@link #flush} sends them. */
    void write(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    void flush() throws IOException {
        out.flush();
    }

    /**
     * Writes the headers of a new gRPC call.
     *
     * @param more headers, as {@link #headers} takes them
     * @return its stream
     */
    int call(String path, String... more) throws IOException {
        int stream = newStreams(1);
        write(headers(stream, path, more));
        return stream;
    }

    /**
     * Writes the beginning of a gRPC message whose announced length is longer than the bytes that are sent.
     *
     * @param sentBytes zeroes that follow the message's own beginning
     */
    void half(int stream, int messageBytes, int sentBytes) throws IOException {
        write(frame(
                DATA,
                0,
                stream,
                ByteBuffer.allocate(5).put((byte) 0).putInt(messageBytes).array()));
        for (int left = sentBytes; left > 0; left -= MOST_BYTES) {
            write(frame(DATA, 0, stream, new byte[Math.min(left, MOST_BYTES)]));
        }
    }

    /** Writes a gRPC message of at most 16 KiB, the last of its call. */
    void message(int stream, byte[] message) throws IOException {
        write(frame(
                DATA,
                END_STREAM,
                stream,
                ByteBuffer.allocate(5 + message.length)
                        .put((byte) 0)
                        .putInt(message.length)
                        .put(message)
                        .array()));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone.
        }
    }
}
