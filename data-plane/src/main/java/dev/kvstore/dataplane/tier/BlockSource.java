package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException;

/** Where a block comes from if no tier has it: storage. Blocks until done; thread-safe. */
@FunctionalInterface
public interface BlockSource {
    /** The block, verified, or why there is none. */
    Fetched fetch(BlockKey key) throws StorageException, MemoryExhaustedException;
}
