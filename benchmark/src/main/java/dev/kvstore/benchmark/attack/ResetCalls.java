package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kvstore.launcher.stack.ApiKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Calls with all headers of a client and made-up keys, or one good key, each reset at once. For one thread. */
final class ResetCalls implements AttackLoad.ConnectionStep {
    static final int CALLS = 100;

    private static final byte[] CANCEL = {0, 0, 0, 8};

    /** The number of characters at the end of the key's text that are made up anew each time. */
    private static final int SECRET = 43;

    private static final byte[] DIGITS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(US_ASCII);

    /** Until a server has found that a key is good, and lets its connection do more. */
    private static final long ADMISSION_MILLIS = 100;

    private final @Nullable RandomGenerator random;
    private final byte[] headers;
    private final byte[] all;

    private ResetCalls(String path, String key, @Nullable RandomGenerator random) {
        this.random = random;
        // The key is last.
        this.headers = RawConnection.headers(
                0,
                path,
                "user-agent",
                "grpc-java-netty/1.78.0",
                "grpc-accept-encoding",
                "gzip",
                "grpc-timeout",
                "5S",
                "authorization",
                "Bearer " + key);
        byte[] reset = RawConnection.frame(RawConnection.RST_STREAM, 0, 0, CANCEL);
        this.all = new byte[CALLS * (headers.length + reset.length)];
        ByteBuffer bytes = ByteBuffer.wrap(all);
        for (int i = 0; i < CALLS; i++) {
            bytes.put(headers).put(reset);
        }
    }

    /** Each call has another made-up key. */
    static ResetCalls withMadeUpKeys(String path) {
        RandomGenerator random = new SplittableRandom();
        return new ResetCalls(path, ApiKey.generate(random).text(), random);
    }

    /**
     * The first call of a connection is not reset: the server takes the client for one that it knows.
     *
     * @param key an API key that the server takes
     */
    static ResetCalls withKey(String path, String key) {
        return new ResetCalls(path, key, null);
    }

    @Override
    public int run(RawConnection connection) throws IOException, InterruptedException {
        if (random == null && connection.begin()) {
            byte[] call = headers.clone();
            ByteBuffer.wrap(call).putInt(RawConnection.STREAM_AT, connection.newStreams(1));
            connection.write(call);
            connection.flush();
            TimeUnit.MILLISECONDS.sleep(ADMISSION_MILLIS);
        }
        connection.write(next(connection.newStreams(CALLS)));
        connection.flush();
        return CALLS;
    }

    /** The next calls, as bytes that are valid until the next time, with streams from this one on. */
    byte[] next(int firstStream) {
        ByteBuffer bytes = ByteBuffer.wrap(all);
        int callBytes = all.length / CALLS;
        for (int i = 0; i < CALLS; i++) {
            int end = i * callBytes + headers.length;
            bytes.putInt(i * callBytes + RawConnection.STREAM_AT, firstStream + 2 * i);
            bytes.putInt(end + RawConnection.STREAM_AT, firstStream + 2 * i);
            for (int at = end - SECRET; random != null && at < end; at++) {
                all[at] = DIGITS[random.nextInt(DIGITS.length)];
            }
        }
        return all;
    }
}
