package dev.kvstore.dataplane.tier.disk;

import com.github.benmanes.caffeine.cache.Ticker;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One disk of a tier. Its failures and its waits are its own. Thread-safe. */
final class TierDisk implements AutoCloseable {
    /** Reads that a local disk serves in parallel; more threads would only wait in the kernel instead of here. */
    private static final int READERS = 16;

    /** A disk slower than this is worse than storage. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Bytes that hold the header of a usual block: 128 tokens, up to 16 MiB. */
    private static final int HEADER_BYTES = 2 * BlockMemory.PAGE_BYTES;

    private final DiskSettings settings;
    private final MemoryPool pool;
    private final Function<StorageLocation, ?> ownerOf;
    private final DiskCounters counters;
    private final Breaker reads;
    private final DiskThreads threads = new DiskThreads(READERS, PATIENCE);
    private final DemotionQueue queue;
    private final DiskWriter writer;

    /**
     * A disk that does nothing until it is started.
     *
     * @param budget bounds the bytes of blocks that wait for the disks of the tier
     */
    TierDisk(
            DiskSettings settings,
            DiskMark mark,
            MemoryPool pool,
            Function<StorageLocation, ?> ownerOf,
            ByteBudget budget,
            Survivors survivors,
            DiskCounters counters,
            Ticker ticker) {
        this.settings = settings;
        this.pool = pool;
        this.ownerOf = ownerOf;
        this.counters = counters;
        this.reads = new Breaker(ticker, DiskSettings.PAUSE);
        this.queue = new DemotionQueue(budget, settings.retry());
        this.writer = new DiskWriter(settings, mark, survivors, queue, counters, ticker);
    }

    void start() {
        writer.start();
    }

    /** A block, all of its checksums verified, with a reference for the caller; null if it cannot be had. */
    @Nullable
    StoredBlock get(BlockKey key, RecordKey recordKey) throws MemoryExhaustedException {
        DiskLog log = writer.log();
        if (log == null) {
            return null;
        }
        StoredBlock storedBlock = queue.get(recordKey);
        return storedBlock == null ? read(log, key, recordKey) : storedBlock;
    }

    private @Nullable StoredBlock read(DiskLog log, BlockKey key, RecordKey recordKey) throws MemoryExhaustedException {
        DiskAddress address = log.index().read(recordKey);
        if (address == null || !reads.permits()) {
            return null;
        }
        BlockMemory memory = memory(key, address.length());
        StoredBlock found = null;
        try {
            if (isRead(log, address, memory)) {
                found = verified(log, key, recordKey, address, memory);
            }
            return found;
        } finally {
            if (found == null) {
                memory.release();
            }
        }
    }

    private BlockMemory memory(BlockKey key, int length) throws MemoryExhaustedException {
        return Turn.within(pool.of(ownerOf.apply(key.storage()))).allocate(length);
    }

    /** Reads a record, or its beginning, into memory; false if the disk fails, which is noted. */
    private boolean isRead(DiskLog log, DiskAddress address, BlockMemory memory) {
        try {
            threads.run(settings.folder().toString(), memory, () -> {
                read(log, address, memory);
                return address;
            });
            reads.succeeded();
            return true;
        } catch (StorageException e) {
            counters.errors().increment();
            reads.failed(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private static void read(DiskLog log, DiskAddress address, BlockMemory memory) throws StorageException {
        try {
            log.read(address, memory);
        } catch (IOException e) {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, String.valueOf(e.getMessage()), e);
        }
    }

    private @Nullable StoredBlock verified(
            DiskLog log, BlockKey key, RecordKey recordKey, DiskAddress address, BlockMemory memory) {
        if (VerifiedBlocks.verify(key, memory) instanceof Fetched.FetchedBlock(StoredBlock block, boolean _)) {
            return block;
        }
        // If the record's region was given up meanwhile, these are no longer its bytes, and nothing is wrong.
        if (log.index().isAt(recordKey, address)) {
            counters.damaged().increment();
            queue.forget(recordKey, log.index()::remove);
        }
        return null;
    }

    /** Length of the buffer of a block, by its header alone; 0 if that cannot be had. */
    int bufferBytes(BlockKey key, RecordKey recordKey) throws MemoryExhaustedException {
        DiskLog log = writer.log();
        if (log == null) {
            return 0;
        }
        StoredBlock storedBlock = queue.get(recordKey);
        if (storedBlock != null) {
            try {
                return storedBlock.header().bufferBytes();
            } finally {
                storedBlock.release();
            }
        }
        DiskAddress address = log.index().read(recordKey);
        return address == null || !reads.permits() ? 0 : headerOf(log, key, address);
    }

    private int headerOf(DiskLog log, BlockKey key, DiskAddress address) throws MemoryExhaustedException {
        DiskAddress start = new DiskAddress(address.region(), address.page(), Math.min(address.length(), HEADER_BYTES));
        BlockMemory memory = memory(key, start.length());
        try {
            return isRead(log, start, memory)
                            && HeaderReader.read(memory.bytes())
                                    instanceof HeaderReader.HeaderResult.WholeHeader(BlockHeader header)
                            && key.matches(header)
                    ? header.bufferBytes()
                    : 0;
        } finally {
            memory.release();
        }
    }

    /** Whether a block is on this disk, or on its way there. */
    boolean contains(RecordKey recordKey) {
        DiskLog log = writer.log();
        // The queue is asked first: a block that leaves the queue is in the index already.
        return log != null && (queue.contains(recordKey) || log.index().contains(recordKey));
    }

    /** Whether the disk takes a block now. During a pause one caller gets true, whose block is the trial. */
    boolean takes(StoredBlock block) {
        return DiskAddress.pages(block.memory().length()) <= settings.recordPages() && writer.isWriting();
    }

    /**
     * Keeps a block.
     *
     * @param bytes that the caller has taken from the budget for the block
     */
    void add(RecordKey recordKey, StoredBlock block, long bytes) {
        queue.add(recordKey, block, bytes);
    }

    /** Drops the blocks that wait for a disk that hangs. */
    void dropIfHanging() {
        if (writer.isHanging()) {
            counters.dropped().add(queue.drop());
        }
    }

    /** Forgets a block. */
    void forget(RecordKey key) {
        queue.forget(key, recordKey -> {
            DiskLog log = writer.log();
            return log == null || log.index().remove(recordKey);
        });
    }

    /** The state of this disk. The reason names the disk. */
    DiskState state() {
        DiskState state = writer.state();
        String paused = reads.pausedFor();
        return state.condition() == Condition.WORKING && paused != null
                ? new DiskState(Condition.PAUSED, settings.folder() + ": not read for a while: " + paused)
                : state;
    }

    /** Number of blocks. */
    long blocks() {
        DiskLog log = writer.log();
        return log == null ? 0 : log.index().size();
    }

    /** Bytes that the disk's files take up, counting each as if it were full. */
    long usedBytes() {
        DiskLog log = writer.log();
        return log == null ? 0 : log.usedBytes();
    }

    /** Writes the blocks that wait, for 10 s at most, and leaves the folder to the next process. */
    @Override
    public void close() {
        writer.close();
    }
}
