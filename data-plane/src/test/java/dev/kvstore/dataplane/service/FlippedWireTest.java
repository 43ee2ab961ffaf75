package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.client.WriteResult;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.testing.FlippingProxy;
import dev.kvstore.testing.FlippingProxy.Direction;
import dev.kvstore.testing.Patience;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One bit after the other that changes on the wire between SDK and data plane, in plaintext and so without a check of
 * its own: what is read is right or is not had; what is acknowledged is stored as it was sent.
 */
@Tag("slow")
final class FlippedWireTest {
    private static final int FLIPS = 2_000;
    private static final int WORKERS = 8;
    private static final int BLOCK_TOKENS = 16;
    private static final int BLOCK_BYTES = 700;
    private static final int READ_BLOCKS = 3;
    // Somewhat more than an operation sends: connections begin with settings and a preface.
    private static final int MOST_BYTES = 3_000;
    // The deadline of a call that may never be answered: a frame whose length grew waits for bytes that do not come.
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final Partition PARTITION = Partition.of("flipped", BLOCK_TOKENS);

    private final MemoryStore storage = new MemoryStore();
    private final DataPlaneFixture server =
            new DataPlaneFixture(new StorageLocation.Filesystem(Path.of("memory")), _ -> storage);
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger succeeded = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger flips = new AtomicInteger();
    private final Map<Direction, AtomicInteger> flipped =
            new EnumMap<>(Map.of(Direction.TO_SERVER, new AtomicInteger(), Direction.TO_CLIENT, new AtomicInteger()));

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void neverChangesABlockThatIsReadOrAcknowledged() throws Exception {
        StoredContents.together(WORKERS, worker -> {
            work(new SplittableRandom(worker));
            return worker;
        });

        assertThat(flipped).allSatisfy((_, count) -> assertThat(count).hasValueGreaterThan(FLIPS / 4));
        assertThat(refused).hasValueGreaterThan(FLIPS / 10);
        assertThat(succeeded).hasValueGreaterThan(FLIPS / 100);
    }

    /** Goes on until all flips are done; a connection that still works serves for the next. */
    private void work(SplittableRandom random) throws Exception {
        try (KvClient direct = client(server.port(), Patience.LIMIT)) {
            FlippedPrompt stored = prompt(numbers.getAndIncrement(), READ_BLOCKS);
            for (int i = 0; i < READ_BLOCKS; i++) {
                direct.write(PARTITION, stored.block(i));
            }
            while (flips.get() < FLIPS) {
                try (FlippingProxy proxy = new FlippingProxy(server.port());
                        KvClient client = client(proxy.port(), DEADLINE)) {
                    boolean whole = true;
                    while (whole && flips.get() < FLIPS) {
                        whole = flipOnce(random, proxy, client, direct, stored);
                    }
                    flipped.forEach((direction, count) -> count.addAndGet(proxy.flipped(direction)));
                }
            }
        }
    }

    /** Whether the connection can be used again. */
    private boolean flipOnce(
            SplittableRandom random, FlippingProxy proxy, KvClient client, KvClient direct, FlippedPrompt stored) {
        Direction direction = random.nextBoolean() ? Direction.TO_SERVER : Direction.TO_CLIENT;
        int before = proxy.flipped(direction);
        proxy.flip(direction, random.nextInt(MOST_BYTES), random.nextInt(8));
        boolean whole = true;
        // The armed flip happens in this operation, or in one of the next.
        while (whole && proxy.flipped(direction) == before) {
            whole = switch (random.nextInt(4)) {
                case 0 -> readOne(client, stored);
                case 1 -> readAll(client, stored);
                case 2 -> write(client, direct, false);
                default -> write(client, direct, true);
            };
        }
        flips.addAndGet(proxy.flipped(direction) - before);
        proxy.disarm();
        return whole;
    }

    private boolean readOne(KvClient client, FlippedPrompt stored) {
        try (Block block = client.readBlock(stored.chain().location(0))) {
            assertRight(block, stored, 0);
            return succeeded();
        } catch (KvStoreException e) {
            return refused(e);
        }
    }

    private boolean readAll(KvClient client, FlippedPrompt stored) {
        boolean whole = true;
        try (BlockStream stream = client.read(stored.chain())) {
            for (BlockResult result : stream) {
                whole &= switch (result) {
                    case BlockResult.Found(Block found) -> {
                        try (found) {
                            assertRight(found, stored, result.index());
                        }
                        yield succeeded();
                    }
                    // A location that changed on its way names another block, which is not there.
                    case BlockResult.Missing _ -> succeeded();
                    case BlockResult.Failed failed -> refused(failed.reason());
                };
            }
        } catch (KvStoreException e) {
            return refused(e);
        }
        return whole;
    }

    private boolean write(KvClient client, KvClient direct, boolean streaming) {
        FlippedPrompt prompt = prompt(numbers.getAndIncrement(), 2);
        try {
            for (int i = 0; i < 2; i++) {
                WriteResult result = streaming ? stream(client, prompt, i) : client.write(PARTITION, prompt.block(i));
                assertThat(result.location()).isEqualTo(prompt.chain().location(i));
                try (Block written = direct.readBlock(prompt.chain().location(i))) {
                    assertRight(written, prompt, i);
                }
                succeeded();
            }
            return true;
        } catch (KvStoreException e) {
            for (int i = 0; i < 2; i++) {
                assertRightIfThere(direct, prompt, i);
            }
            return refused(e);
        }
    }

    private static WriteResult stream(KvClient client, FlippedPrompt prompt, int index) {
        try (BlockWriter writer = client.writer(PARTITION)) {
            CompletableFuture<WriteResult> result = writer.write(prompt.block(index));
            writer.finish();
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof KvStoreException cause ? cause : e;
        }
    }

    /** A refused block is not stored, or is stored as it was sent: only the answer may have been lost. */
    private static void assertRightIfThere(KvClient direct, FlippedPrompt prompt, int index) {
        Block block = find(direct, prompt, index);
        if (block != null) {
            try (block) {
                assertRight(block, prompt, index);
            }
        }
    }

    private static @Nullable Block find(KvClient direct, FlippedPrompt prompt, int index) {
        try {
            return direct.readBlock(prompt.chain().location(index));
        } catch (KvStoreException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND);
            return null;
        }
    }

    private static void assertRight(Block block, FlippedPrompt prompt, int index) {
        ByteBuffer bytes = ByteBuffer.allocate(block.length());
        block.copyTo(bytes);
        assertThat(bytes.flip()).isEqualTo(prompt.buffer(index));
        assertThat(block.hash()).isEqualTo(prompt.chain().hash(index));
        assertThat(block.parent()).isEqualTo(prompt.chain().parent(index));
    }

    private boolean succeeded() {
        succeeded.incrementAndGet();
        return true;
    }

    /** A refusal by the server, or by the SDK about received bytes, leaves the connection as it was. */
    private boolean refused(KvStoreException e) {
        refused.incrementAndGet();
        return switch (e.code()) {
            case DATA_LOSS, INVALID_ARGUMENT, NOT_FOUND -> true;
            default -> false;
        };
    }

    private static KvClient client(int port, Duration deadline) {
        TransportOptions defaults = TransportOptions.DEFAULT;
        return KvClient.builder()
                .endpoints("127.0.0.1:" + port)
                .resource(DataPlaneFixture.RESOURCE)
                .apiKey(DataPlaneFixture.KEY)
                .connectionsPerEndpoint(1)
                .deadline(deadline)
                .retry(RetryOptions.NONE)
                .transport(new TransportOptions(
                        defaults.flowControlWindowBytes(),
                        defaults.keepAlive(),
                        defaults.keepAliveTimeout(),
                        defaults.idle(),
                        defaults.connectTimeout(),
                        1,
                        defaults.stack()))
                .build();
    }

    private static FlippedPrompt prompt(int number, int blocks) {
        int[] tokens = new SplittableRandom(number)
                .ints((long) blocks * BLOCK_TOKENS, 0, 100_000)
                .toArray();
        return new FlippedPrompt(Tokens.of(tokens), BlockChain.of(PARTITION, Tokens.of(tokens)));
    }

    private record FlippedPrompt(Tokens tokens, BlockChain chain) {
        NewBlock block(int index) {
            Tokens own = Tokens.of(IntStream.range(index * BLOCK_TOKENS, (index + 1) * BLOCK_TOKENS)
                    .map(tokens::get)
                    .toArray());
            return NewBlock.of(chain, index, own, buffer(index));
        }

        /** Follows from the block's name. */
        ByteBuffer buffer(int index) {
            return StoredContents.random(chain.hash(index).a(), BLOCK_BYTES);
        }
    }
}
