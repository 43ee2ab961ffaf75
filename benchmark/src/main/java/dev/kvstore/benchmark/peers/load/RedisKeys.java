package dev.kvstore.benchmark.peers.load;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Under which keys Redis has the blocks: those that {@code redis-benchmark -r} asks for. */
public final class RedisKeys {
    private RedisKeys() {}

    public static byte[] of(int block) {
        return String.format(Locale.ROOT, "key:%012d", block).getBytes(StandardCharsets.US_ASCII);
    }
}
