package dev.kvstore.dataplane.region;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.Written;
import dev.kvstore.dataplane.memory.ByteBudget;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.Tiers;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Stores here what was read through, behind the reader's back: so many blocks at a time, so many that wait, and of what comes
 * on top nothing; whoever reads it next brings it again. Thread-safe.
 */
final class Filling {
    /** With storage 40 ms away these are 1,600 blocks a second. */
    static final int BLOCKS = 64;

    /** About a second's worth. */
    static final int WAITING = 2048;

    private static final System.Logger LOG = System.getLogger(Filling.class.getName());

    private final Landing landing;
    private final Presence presence;
    private final Tiers tiers;
    private final Executor executor;
    private final ByteBudget bytes;
    private final ThroughMeters.Fills meters;
    private final Semaphore waiting = new Semaphore(WAITING);
    private final Semaphore running = new Semaphore(BLOCKS);

    /**
     * Nothing to do yet.
     *
     * @param bytes most memory of blocks that wait
     * @param executor a virtual thread per task
     */
    Filling(
            Landing landing,
            Presence presence,
            Tiers tiers,
            long bytes,
            ThroughMeters.Fills meters,
            Executor executor) {
        this.landing = landing;
        this.presence = presence;
        this.tiers = tiers;
        this.bytes = new ByteBudget(bytes);
        this.meters = meters;
        this.executor = executor;
    }

    /** Has a block stored, of which the caller gives a reference away. */
    void add(BlockKey key, StoredBlock block, BlockStore source, BlockStore target) {
        int length = block.memory().length();
        if (!waiting.tryAcquire()) {
            skip(key, block);
            return;
        }
        if (!bytes.tryTake(length)) {
            waiting.release();
            skip(key, block);
            return;
        }
        executor.execute(() -> {
            try {
                running.acquireUninterruptibly();
                try {
                    store(key, block, source, target);
                } finally {
                    running.release();
                }
            } finally {
                block.release();
                bytes.giveBack(length);
                waiting.release();
            }
        });
    }

    private void skip(BlockKey key, StoredBlock block) {
        meters.skipped().increment();
        block.release();
        // What is near counts as stored, and this is not.
        presence.missing(key);
    }

    private void store(BlockKey key, StoredBlock block, BlockStore source, BlockStore target) {
        try {
            Written written = landing.land(key, block, source, target, near -> {
                boolean _ = tiers.preheat(key, near, true);
            });
            (written instanceof Written.Stored ? meters.stored() : meters.present()).increment();
        } catch (StorageException | MemoryExhaustedException e) {
            meters.failed().increment();
            presence.missing(key);
            LOG.log(
                    Level.WARNING,
                    "{0} was read through, and cannot be stored in {1}: {2}",
                    key.blobName(),
                    key.storage().place(),
                    e.getMessage());
        }
    }
}
