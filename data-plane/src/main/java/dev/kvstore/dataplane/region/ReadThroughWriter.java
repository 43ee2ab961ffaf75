package dev.kvstore.dataplane.region;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoreOutcome;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.ByteBudget;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.Tiers;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Stores blocks here, in the background, that were read through. {@link #BLOCKS} are stored at a time and
 * {@link #WAITING} may wait; further ones are not stored, and their next reader fetches them again. Thread-safe.
 */
final class ReadThroughWriter {
    /** Blocks stored at a time. With calls of 40 ms these are 1,600 blocks a second. */
    static final int BLOCKS = 64;

    /** Blocks that may wait: about a second's worth. */
    static final int WAITING = 2048;

    private static final System.Logger LOG = System.getLogger(ReadThroughWriter.class.getName());

    private final VerifiedBlockImporter importer;
    private final Tiers tiers;
    private final Executor executor;
    private final ByteBudget bytes;
    private final ThroughMeters.Fills meters;
    private final Map<BlockKey, StoredBlock> underWay = new ConcurrentHashMap<>();
    private final Semaphore waiting = new Semaphore(WAITING);
    private final Semaphore running = new Semaphore(BLOCKS);

    /**
     * A writer that has stored nothing yet.
     *
     * @param bytes most memory of blocks that wait
     * @param executor a virtual thread per task
     */
    ReadThroughWriter(
            VerifiedBlockImporter importer, Tiers tiers, long bytes, ThroughMeters.Fills meters, Executor executor) {
        this.importer = importer;
        this.tiers = tiers;
        this.bytes = new ByteBudget(bytes);
        this.meters = meters;
        this.executor = executor;
    }

    /** A block that waits to be stored, with a reference for the caller; null if it does not wait. */
    @Nullable
    StoredBlock find(BlockKey key) {
        return underWay.computeIfPresent(key, (_, block) -> block.retain());
    }

    /**
     * Adds a block. Takes over the caller's reference.
     *
     * @param read the {@link VerifiedBlockImporter#version} before the block was read
     */
    void add(BlockKey key, StoredBlock block, long read, BlockStore source, BlockStore target) {
        int length = block.memory().length();
        if (!waiting.tryAcquire()) {
            meters.skipped().increment();
            block.release();
            return;
        }
        if (!bytes.tryTake(length)) {
            waiting.release();
            meters.skipped().increment();
            block.release();
            return;
        }
        if (underWay.putIfAbsent(key, block) != null) {
            giveBack(block, length);
            return;
        }
        boolean begun = false;
        try {
            executor.execute(() -> fill(key, block, length, read, source, target));
            begun = true;
        } finally {
            if (!begun) {
                over(key, block, length);
            }
        }
    }

    private void fill(BlockKey key, StoredBlock block, int length, long read, BlockStore source, BlockStore target) {
        try {
            running.acquireUninterruptibly();
            try {
                store(key, block, read, source, target);
            } finally {
                running.release();
            }
        } finally {
            over(key, block, length);
        }
    }

    private void over(BlockKey key, StoredBlock block, int length) {
        underWay.remove(key);
        giveBack(block, length);
    }

    private void giveBack(StoredBlock block, int length) {
        block.release();
        bytes.giveBack(length);
        waiting.release();
    }

    private void store(BlockKey key, StoredBlock block, long read, BlockStore source, BlockStore target) {
        try {
            // The block enters a tier only once it is stored, since a block in a tier counts as stored.
            Tiers.BlockMoment moment = tiers.now(key);
            StoreOutcome outcome =
                    importer.land(key, block, read, source, target, stored -> tiers.keep(key, stored, moment));
            switch (outcome) {
                case StoreOutcome.BlockStored _ -> meters.stored().increment();
                case StoreOutcome.BlockPresent _ -> meters.present().increment();
                case StoreOutcome.Unreadable _ -> meters.failed().increment();
            }
        } catch (StorageException | MemoryExhaustedException e) {
            meters.failed().increment();
            LOG.log(
                    Level.WARNING,
                    "{0} was read through, and cannot be stored in {1}: {2}",
                    key.blobName(),
                    key.storage().place(),
                    e.getMessage());
        }
    }
}
