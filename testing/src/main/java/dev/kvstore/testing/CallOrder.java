package dev.kvstore.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Records in which order a server begins the calls that several clients have sent: the first call blocks the server's
 * event loop until {@link #allSent}. The server must have one event loop and a direct executor. Thread-safe.
 */
public final class CallOrder implements ServerInterceptor {
    private static final Metadata.Key<String> CLIENT = Metadata.Key.of("client", Metadata.ASCII_STRING_MARSHALLER);

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final int FRAME_HEADER_BYTES = 9;
    private static final int SETTINGS = 4;
    private static final int HEADERS = 1;
    private static final int END_STREAM_AND_HEADERS = 5;

    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private final CountDownLatch sent = new CountDownLatch(1);

    /** The bytes that a new connection sends to make {@code count} calls, which name their client in a header. */
    public static byte[] calls(MethodDescriptor<?, ?> method, String client, int count) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(PREFACE);
        bytes.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
        byte[] block = block(List.of(
                Map.entry(":method", "POST"),
                Map.entry(":scheme", "http"),
                Map.entry(":path", "/" + method.getFullMethodName()),
                Map.entry(":authority", "localhost"),
                Map.entry("content-type", "application/grpc"),
                Map.entry("te", "trailers"),
                Map.entry("client", client)));
        for (int i = 0; i < count; i++) {
            bytes.writeBytes(frame(HEADERS, END_STREAM_AND_HEADERS, 2 * i + 1, block));
        }
        return bytes.toByteArray();
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(FRAME_HEADER_BYTES + payload.length)
                .put((byte) 0)
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /**
     * Encodes headers without indexing and with new names (RFC 7541, section 6.2.2); a length below 127 is one byte.
     */
    private static byte[] block(List<Entry<String, String>> headers) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (Entry<String, String> header : headers) {
            block.write(0);
            for (String text : List.of(header.getKey(), header.getValue())) {
                block.write(text.length());
                block.writeBytes(text.getBytes(US_ASCII));
            }
        }
        return block.toByteArray();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String client = headers.get(CLIENT);
        if (client != null) {
            try {
                boolean _ = sent.await(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            begun.add(client);
        }
        return next.startCall(call, headers);
    }

    /** Notes that all clients have sent all of their calls. */
    public void allSent() {
        sent.countDown();
    }

    /** Waits for a number of calls, and returns their clients in the order in which the calls began. */
    public List<String> begun(int count) throws InterruptedException {
        List<String> order = new ArrayList<>();
        while (order.size() < count) {
            String next = begun.poll(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new AssertionError(
                        "call " + (order.size() + 1) + " of " + count + " did not begin in " + Patience.LIMIT);
            }
            order.add(next);
        }
        return order;
    }
}
