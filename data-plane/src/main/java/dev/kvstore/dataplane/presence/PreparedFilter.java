package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockChain;

/**
 * The filter of a partition, prepared for one question.
 *
 * @param trusted whether a block that the filter denies is certainly not stored; for an observed partition, whether
 *     anything is known
 */
record PreparedFilter(StoredPartition storedPartition, BlockStore store, PartitionPresence partition, boolean trusted) {
    /** A question about blocks of a partition, which may ask storage. */
    @FunctionalInterface
    interface PartitionQuestion<T> {
        T ask(PreparedFilter filter) throws StorageException, MemoryExhaustedException;
    }

    /** Index of the first block, from one index on, that is not stored. */
    int candidates(BlockChain chain, int from) {
        return trusted ? partition.candidates(chain, from) : storedPartition.observed() ? from : chain.size();
    }

    boolean mightContain(long key) {
        return trusted ? partition.mightContain(key) : !storedPartition.observed();
    }

    /** Where storage answers neither for files nor for blocks, files that were read some time ago decide. */
    <T> T answer(PartitionQuestion<T> question) throws StorageException, MemoryExhaustedException {
        try {
            return question.ask(this);
        } catch (StorageException e) {
            if (trusted || !partition.isOutdated()) {
                throw e;
            }
            return question.ask(new PreparedFilter(storedPartition, store, partition, true));
        }
    }
}
