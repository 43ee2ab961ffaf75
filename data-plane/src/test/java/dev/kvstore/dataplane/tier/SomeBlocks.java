package dev.kvstore.dataplane.tier;

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

/** Small whole blocks in a pool of their own. */
public final class SomeBlocks {
    static final int BUFFER_BYTES = 1000;
    public static final int STORED_BYTES = BlockHeader.PAGE_BYTES + BUFFER_BYTES;
    public static final int TAKEN_BYTES = BlockMemory.padded(STORED_BYTES);

    private static final BlockHash ROOT = new BlockHash(0, 0, 0, 0);

    private final MemoryPool pool = new MemoryPool(1 << 20, Duration.ZERO);

    public BlockKey key(int i) {
        return new BlockKey(new StorageLocation.Filesystem(Path.of("somewhere")), ROOT, hash(i));
    }

    public StoredBlock block(int i) throws MemoryExhaustedException {
        return block(ROOT, i);
    }

    /** One that is not the first of its prompt. */
    StoredBlock blockAfter(int parent, int i) throws MemoryExhaustedException {
        return block(hash(parent), i);
    }

    private StoredBlock block(BlockHash parent, int i) throws MemoryExhaustedException {
        BlockMemory memory = pool.allocate(STORED_BYTES);
        BlockHeader header = HeaderWriter.write(
                memory.bytes(),
                BlockHeader.PAGE_BYTES,
                ROOT,
                parent,
                hash(i),
                Tokens.of(i),
                ByteBuffer.allocate(0),
                "key");
        return new StoredBlock(header, memory);
    }

    public MemoryPool pool() {
        return pool;
    }

    public long usedBytes() {
        return pool.usedBytes();
    }

    private static BlockHash hash(int i) {
        return new BlockHash(1, 2, 3, i);
    }
}
