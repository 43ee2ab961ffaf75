package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.ByteBudget;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.memory.Turn;
import dev.kvstore.dataplane.rate.Breaker;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.filesystem.DiskThreads;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderReader;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Blocks on a local disk, within a byte budget. The oldest blocks are dropped first, except those that were read. The
 * files outlive the process, even one that was killed. This is a cache: a failure is a miss, which {@link #state} and
 * the counters show, and never an error of the caller. Thread-safe.
 */
public final class DiskTier implements AutoCloseable {
    /** Reads that a local disk serves in parallel; more threads would only wait in the kernel instead of here. */
    private static final int READERS = 16;

    /** A disk slower than this is worse than storage. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Enough for the header of a usual block: 128 tokens, up to 16 MiB. */
    private static final int HEADER_BYTES = 2 * BlockMemory.PAGE_BYTES;

    private final DiskCounters counters = new DiskCounters();
    private final RecordKeys keys = new RecordKeys();
    private final MemoryPool pool;
    private final Function<StorageLocation, ?> ownerOf;
    private final Breaker reads;
    private final DiskThreads threads = new DiskThreads(READERS, PATIENCE);
    private final @Nullable DiskSettings settings;
    private final ByteBudget budget;
    private final DemotionQueue queue;
    private final @Nullable DiskWriter writer;

    private DiskTier(
            @Nullable DiskSettings settings,
            MemoryPool pool,
            Function<StorageLocation, ?> ownerOf,
            InstantSource clock) {
        this.ownerOf = ownerOf;
        this.settings = settings;
        this.pool = pool;
        this.reads = new Breaker(clock, DiskSettings.PAUSE);
        this.budget = new ByteBudget(settings == null ? 0 : settings.queueBytes() - settings.survivorBytes());
        this.queue = new DemotionQueue(budget);
        this.writer = settings == null ? null : new DiskWriter(settings, pool, queue, counters, clock);
    }

    /** A tier that keeps nothing. */
    public static DiskTier none(MemoryPool pool) {
        return new DiskTier(null, pool, storage -> storage, InstantSource.system());
    }

    /**
     * A tier in a folder. Returns at once; blocks that an earlier process left there are found once they are loaded.
     */
    public static DiskTier open(DiskSettings settings, MemoryPool pool, InstantSource clock) {
        return open(settings, pool, storage -> storage, clock);
    }

    /**
     * A tier in a folder, whose memory counts for the owners of the blocks.
     *
     * @param ownerOf the tenant for which the memory counts that blocks of this storage are read into
     */
    public static DiskTier open(
            DiskSettings settings, MemoryPool pool, Function<StorageLocation, ?> ownerOf, InstantSource clock) {
        DiskTier tier = new DiskTier(settings, pool, ownerOf, clock);
        if (tier.writer != null) {
            tier.writer.start();
        }
        return tier;
    }

    private @Nullable DiskLog log() {
        return writer == null ? null : writer.log();
    }

    /** A block from disk, all of its checksums verified, with a reference for the caller; null if it cannot be had. */
    public @Nullable StoredBlock get(BlockKey key) throws MemoryExhaustedException {
        DiskLog log = log();
        if (log == null) {
            return null;
        }
        RecordKey name = keys.of(key);
        StoredBlock queued = queue.get(name);
        StoredBlock found = queued == null ? read(log, key, name) : queued;
        (found == null ? counters.misses() : counters.hits()).increment();
        return found;
    }

    private @Nullable StoredBlock read(DiskLog log, BlockKey key, RecordKey name) throws MemoryExhaustedException {
        DiskAddress place = log.index().read(name);
        if (place == null || !reads.permits()) {
            return null;
        }
        BlockMemory memory = Turn.within(pool.of(ownerOf.apply(key.storage()))).allocate(place.length());
        StoredBlock found = null;
        try {
            threads.run("the disk tier", memory, () -> {
                read(log, place, memory);
                return place;
            });
            reads.succeeded();
            found = verified(log, key, name, place, memory);
            return found;
        } catch (StorageException e) {
            counters.errors().increment();
            reads.failed(String.valueOf(e.getMessage()));
            return null;
        } finally {
            if (found == null) {
                memory.release();
            }
        }
    }

    private static void read(DiskLog log, DiskAddress place, BlockMemory memory) throws StorageException {
        try {
            log.read(place, memory);
        } catch (IOException e) {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, String.valueOf(e.getMessage()), e);
        }
    }

    private @Nullable StoredBlock verified(
            DiskLog log, BlockKey key, RecordKey name, DiskAddress place, BlockMemory memory) {
        if (VerifiedBlocks.verify(key, memory) instanceof Fetched.FetchedBlock(StoredBlock block, boolean _)) {
            return block;
        }
        // If its region was given up meanwhile, these are no longer its bytes, and nothing is wrong.
        if (log.index().isAt(name, place)) {
            counters.damaged().increment();
            queue.forget(name, log.index()::remove);
        }
        return null;
    }

    /**
     * Length of the buffer of a block, by its header alone; 0 if the block is not here, its header is longer than 8 KiB,
     * or the disk fails.
     */
    public int bufferBytes(BlockKey key) throws MemoryExhaustedException {
        DiskLog log = log();
        if (log == null) {
            return 0;
        }
        RecordKey name = keys.of(key);
        StoredBlock queued = queue.get(name);
        if (queued != null) {
            try {
                return queued.header().bufferBytes();
            } finally {
                queued.release();
            }
        }
        DiskAddress place = log.index().read(name);
        return place == null || !reads.permits() ? 0 : headerOf(log, key, place);
    }

    private int headerOf(DiskLog log, BlockKey key, DiskAddress place) throws MemoryExhaustedException {
        DiskAddress start = new DiskAddress(place.region(), place.page(), Math.min(place.length(), HEADER_BYTES));
        BlockMemory memory = Turn.within(pool.of(ownerOf.apply(key.storage()))).allocate(start.length());
        try {
            threads.run("the disk tier", memory, () -> {
                read(log, start, memory);
                return start;
            });
            reads.succeeded();
            return HeaderReader.read(memory.bytes())
                                    instanceof HeaderReader.HeaderResult.WholeHeader(BlockHeader header)
                            && key.matches(header)
                    ? header.bufferBytes()
                    : 0;
        } catch (StorageException e) {
            counters.errors().increment();
            reads.failed(String.valueOf(e.getMessage()));
            return 0;
        } finally {
            memory.release();
        }
    }

    /** Whether a block is on disk, or on its way there. */
    public boolean contains(BlockKey key) {
        DiskLog log = log();
        if (log == null) {
            return false;
        }
        RecordKey name = keys.of(key);
        // In this order: what leaves the queue is in the index already.
        return queue.contains(name) || log.index().contains(name);
    }

    /**
     * Keeps a block that was evicted from memory. If the disk cannot keep up, the block is dropped and counted. Never
     * waits.
     */
    public void demote(BlockKey key, StoredBlock block) {
        demote(key, block, Duration.ZERO);
    }

    /**
     * Keeps a block, and waits for the disk if that cannot keep up; afterwards drops and counts it.
     *
     * @param patience the longest wait
     */
    public void demote(BlockKey key, StoredBlock block, Duration patience) {
        DiskWriter to = writer;
        if (settings == null || to == null) {
            return;
        }
        DiskLog log = to.log();
        RecordKey name = keys.of(key);
        if (log != null && log.index().contains(name)) {
            return;
        }
        long bytes = block.memory().takenBytes();
        boolean accepted = log != null
                && to.isWriting()
                && DiskAddress.pages(block.memory().length()) <= settings.recordPages()
                && take(bytes, patience);
        if (accepted) {
            queue.add(name, block, bytes);
        } else {
            counters.dropped().increment();
        }
    }

    private boolean take(long bytes, Duration patience) {
        try {
            return patience.isPositive() ? budget.take(bytes, patience) : budget.tryTake(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Forgets a block: this process does not serve it again, nor does a later one, once the next batch is written. */
    public void forget(BlockKey key) {
        if (writer != null) {
            queue.forget(keys.of(key), name -> {
                DiskLog log = writer.log();
                return log == null || log.index().remove(name);
            });
        }
    }

    /** How it is. */
    public DiskState state() {
        if (writer == null) {
            return new DiskState(Condition.NONE, "kvstore.disk-tier-size is 0");
        }
        DiskState state = writer.state();
        String paused = reads.pausedFor();
        return state.condition() == Condition.WORKING && paused != null
                ? new DiskState(Condition.PAUSED, "not read for a while: " + paused)
                : state;
    }

    public DiskCounters counters() {
        return counters;
    }

    /** Number of blocks on disk. */
    public long blocks() {
        DiskLog log = log();
        return log == null ? 0 : log.index().size();
    }

    /** Bytes of disk that its files take up, counting each as if it were full. */
    public long usedBytes() {
        DiskLog log = log();
        return log == null ? 0 : log.usedBytes();
    }

    /** Most bytes that its files take up. */
    public long limitBytes() {
        return settings == null ? 0 : settings.bytes();
    }

    /** Writes the blocks that wait, for 10 s at most, and leaves the folder to the next process. */
    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
