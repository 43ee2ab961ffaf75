package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.BlockSource;
import dev.kvstore.protocol.block.BlockChain;

/** Where an account's blocks come from if no tier has them, and which of them are stored there. Thread-safe. */
public interface BlockOrigin extends BlockSource {
    /**
     * The length of the longest stored prefix, in blocks. Blocks until done.
     *
     * @param expected the length of buffers that counts
     */
    int longestPrefix(BlockChain chain, ExpectedLength expected) throws StorageException, MemoryExhaustedException;

    /** Like {@link #longestPrefix}, but without a storage call: -1 if one is needed. For network threads. */
    int knownPrefix(BlockChain chain, ExpectedLength expected);
}
