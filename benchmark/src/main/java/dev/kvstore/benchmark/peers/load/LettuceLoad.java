package dev.kvstore.benchmark.peers.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Redis by Lettuce: synchronous GETs into byte arrays, a connection per caller as redis-benchmark has them. Blocks have
 * the keys that {@code redis-benchmark -r} asks for.
 */
public final class LettuceLoad implements PeerLoad {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final WorkingSet set;
    private final RedisClient client;
    private final byte[][] keys;
    private final AtomicInteger next = new AtomicInteger();

    public LettuceLoad(WorkingSet set, int port) {
        this.set = set;
        this.client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withTimeout(TIMEOUT)
                .build());
        this.keys = IntStream.range(0, set.blocks())
                .mapToObj(
                        block -> String.format(Locale.ROOT, "key:%012d", block).getBytes(US_ASCII))
                .toArray(byte[][]::new);
    }

    @Override
    public void stock() {
        try (StatefulRedisConnection<byte[], byte[]> connection = connect()) {
            for (int block = 0; block < set.blocks(); block++) {
                if (set.isStored(block)) {
                    byte[] value = new byte[set.blockBytes()];
                    set.fill(block, ByteBuffer.wrap(value));
                    var _ = connection.sync().set(keys[block], value);
                }
            }
        }
    }

    @Override
    public LoadClient caller(PeerOperation operation) {
        StatefulRedisConnection<byte[], byte[]> connection = connect();
        return new LoadClient() {
            @Override
            public void once(LongAdder bytes) {
                int block = Math.floorMod(next.getAndIncrement(), set.blocks());
                int length = get(connection, block).length;
                set.verifyLength(block, length);
                bytes.add(length);
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }

    @Override
    public void verify(PeerOperation operation) {
        try (StatefulRedisConnection<byte[], byte[]> connection = connect()) {
            for (int block = 0; block < set.blocks(); block++) {
                set.verify(block, List.of(ByteBuffer.wrap(get(connection, block))));
            }
        }
    }

    private StatefulRedisConnection<byte[], byte[]> connect() {
        return client.connect(ByteArrayCodec.INSTANCE);
    }

    private byte[] get(StatefulRedisConnection<byte[], byte[]> connection, int block) {
        byte[] value = connection.sync().get(keys[block]);
        if (value == null) {
            throw new BadBlockException("block " + block + " is missing");
        }
        return value;
    }

    /**
     * Looks at what a benchmark has set in another database.
     *
     * @throws BadBlockException if there is nothing, or a value is not as long as a block
     */
    public void verifyLengths(int database) {
        try (StatefulRedisConnection<byte[], byte[]> connection = connect()) {
            var _ = connection.sync().select(database);
            if (connection.sync().dbsize() == 0) {
                throw new BadBlockException("nothing was written");
            }
            for (int block = 0; block < keys.length; block++) {
                long length = connection.sync().strlen(keys[block]);
                if (length != 0) {
                    set.verifyLength(block, length);
                }
            }
        }
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
