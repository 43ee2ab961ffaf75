package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Whole blocks in a pool of their own, put to a disk tier and looked for there. */
final class Records {
    private static final BlockHash ROOT = new BlockHash(0, 0, 0, 0);

    private final MemoryPool pool;

    Records(long poolBytes) {
        pool = new MemoryPool(poolBytes, Duration.ofSeconds(10));
    }

    MemoryPool pool() {
        return pool;
    }

    BlockKey key(int i) {
        return key("mine", i);
    }

    BlockKey key(String tenant, int i) {
        // As a real hash: any bit is as good as random.
        long seed = 0x9E3779B97F4A7C15L * (i + 1);
        return new BlockKey(new StorageLocation.Filesystem(Path.of(tenant)), ROOT, new BlockHash(seed, i, ~seed, seed));
    }

    /** A block whose buffer the seed determines. */
    StoredBlock block(BlockKey key, int bufferBytes, long seed) {
        byte[] buffer = new byte[bufferBytes];
        new Random(seed).nextBytes(buffer);
        try {
            BlockMemory memory = pool.allocate(BlockHeader.PAGE_BYTES + bufferBytes);
            memory.slice(BlockHeader.PAGE_BYTES, bufferBytes).put(buffer);
            BlockHeader header = HeaderWriter.write(
                    memory.bytes(),
                    BlockHeader.PAGE_BYTES,
                    key.root(),
                    key.root(),
                    key.hash(),
                    Tokens.of(7),
                    ByteBuffer.allocate(0),
                    "key");
            return new StoredBlock(header, memory);
        } catch (MemoryExhaustedException e) {
            throw new AssertionError(e);
        }
    }

    /** Puts a block, waiting for the disk to keep up. */
    void put(DiskTier tier, BlockKey key, int bufferBytes, long seed) {
        StoredBlock block = block(key, bufferBytes, seed);
        tier.demote(key, block, Duration.ofSeconds(10));
        block.release();
    }

    void put(DiskTier tier, int i, int bufferBytes) {
        put(tier, key(i), bufferBytes, i);
    }

    /** Whether a block is found, and then as it was put. */
    boolean has(DiskTier tier, BlockKey key, int bufferBytes, long seed) {
        StoredBlock found = get(tier, key);
        if (found == null) {
            return false;
        }
        try {
            byte[] expected = new byte[bufferBytes];
            new Random(seed).nextBytes(expected);
            assertThat(found.buffer()).isEqualTo(ByteBuffer.wrap(expected));
            assertThat(found.header().hash()).isEqualTo(key.hash());
            return true;
        } finally {
            found.release();
        }
    }

    boolean has(DiskTier tier, int i, int bufferBytes) {
        return has(tier, key(i), bufferBytes, i);
    }

    static @Nullable StoredBlock get(DiskTier tier, BlockKey key) {
        try {
            return tier.get(key);
        } catch (MemoryExhaustedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until all that was put is written, or dropped: then its memory has come back. */
    void settle() {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> assertThat(pool.usedBytes()).isZero());
    }
}
