package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException;

/** The source of blocks that no tier has: storage. Blocks until done; thread-safe. */
@FunctionalInterface
public interface BlockSource {
    /** The block, verified, or why there is none. */
    Fetched fetch(BlockKey key) throws StorageException, MemoryExhaustedException;
}
