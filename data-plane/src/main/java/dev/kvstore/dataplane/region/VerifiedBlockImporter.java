package dev.kvstore.dataplane.region;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.DescribedPartitions;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.StoreOutcome;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import java.util.function.Consumer;

/**
 * Stores verified blocks of another region here: first the descriptor of their partition, then the block, then presence
 * learns of it. Calls block until done. Thread-safe.
 */
public final class VerifiedBlockImporter {
    private final VerifiedBlocks blocks;
    private final Presence presence;
    private final Allocator memory;
    private final PurgeRules purged;
    private final DescribedPartitions described;

    public VerifiedBlockImporter(VerifiedBlocks blocks, Presence presence, Allocator memory) {
        this(blocks, presence, memory, new PurgeRules(true), new DescribedPartitions(Ticker.systemTicker()));
    }

    /**
     * Stores blocks of other regions, except purged ones.
     *
     * @param purged the purges, whose blocks must not come back from another region
     */
    public VerifiedBlockImporter(
            VerifiedBlocks blocks,
            Presence presence,
            Allocator memory,
            PurgeRules purged,
            DescribedPartitions described) {
        this.purged = purged;
        this.described = described;
        this.blocks = blocks;
        this.presence = presence;
        this.memory = memory;
    }

    /** The version of the known purges. Must be read before a block is read at its source. */
    public long version() {
        return purged.version();
    }

    /** Must be called before storage fetches a block by itself, and closed afterwards; see {@link PurgeRules#copy}. */
    public PurgeRules.Copying copy(BlockKey key, long read) throws StorageException {
        return purged.copy(key, read);
    }

    /**
     * Stores a block unless it is stored already; the caller's reference stays the caller's.
     *
     * @param key the block's key in this region
     * @param read the answer of {@link #version} before the block was read at its source
     * @param near receives the block once storage has this very block
     * @throws StorageException also while the block may be one that is being purged
     */
    public StoreOutcome land(
            BlockKey key,
            StoredBlock block,
            long read,
            BlockStore source,
            BlockStore target,
            Consumer<StoredBlock> near)
            throws StorageException, MemoryExhaustedException {
        try (var _ = purged.copy(key, read);
                Presence.PendingWrite writing = presence.begin(key, target)) {
            describe(key, source, target);
            StoreOutcome outcome = blocks.write(target, key, block);
            switch (outcome) {
                case StoreOutcome.BlockStored _ -> {
                    near.accept(block);
                    writing.stored(block.header().bufferBytes());
                }
                case StoreOutcome.BlockPresent there -> {
                    if (there.crc32c() == block.header().crc32c()
                            && there.bufferBytes() == block.header().bufferBytes()) {
                        near.accept(block);
                    }
                    writing.wasStored(there);
                }
                case StoreOutcome.Unreadable _ -> {}
            }
            return outcome;
        }
    }

    /**
     * Copies the descriptor of a block's partition to the target, if it is missing there. A source with a missing or
     * damaged descriptor has none to give.
     */
    public void describe(BlockKey key, BlockStore source, BlockStore target)
            throws StorageException, MemoryExhaustedException {
        described.describe(
                key,
                target,
                memory,
                () -> DescribedPartitions.partition(
                        source.get(key.descriptorName(), ReadLimits.DESCRIPTOR_BYTES, memory), key.root()));
    }
}
