package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.block.DescribedPartitions;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import org.jspecify.annotations.Nullable;

/**
 * Finds a partition's name by its root hash, the only part of it that a location has: in earlier requests, or in the
 * descriptor beside its blocks. Only names that were found are remembered: a partition without a good descriptor is
 * asked for each time, so that a reader is let in as soon as the descriptor is there. Thread-safe.
 */
final class PartitionNames {
    private final Allocator allocator;
    private final Cache<BlockHash, String> names =
            Caffeine.newBuilder().maximumSize(10_000).build();

    PartitionNames(Allocator allocator) {
        this.allocator = allocator;
    }

    /** Remembers the name of a partition. */
    void learn(Partition partition) {
        names.put(partition.root(), partition.name());
    }

    /** The name of the partition with this root, or null if it has no blocks in this store. */
    @Nullable
    String name(BlockHash root, BlockStore store) throws StorageException, MemoryExhaustedException {
        String known = names.getIfPresent(root);
        if (known != null) {
            return known;
        }
        Partition partition = described(root, store);
        if (partition == null) {
            return null;
        }
        learn(partition);
        return partition.name();
    }

    private @Nullable Partition described(BlockHash root, BlockStore store)
            throws StorageException, MemoryExhaustedException {
        return DescribedPartitions.partition(
                store.get(BlockNames.descriptor(root), ReadLimits.DESCRIPTOR_BYTES, allocator), root);
    }
}
