package dev.kvstore.dataplane.tier.disk;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.ByteBudget;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.filesystem.DiskThreads;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Blocks on local disks, within a byte budget. Each disk takes blocks in its turn, and has its own files, threads and
 * pauses: one that fails or hangs is passed over, and costs the blocks that lie on it. The oldest blocks of a disk are
 * dropped first, except those that were read. The files outlive the process, even one that was killed. This is a cache:
 * a failure is a miss, which {@link #state} and the counters show, and never an error of the caller. Thread-safe.
 */
public final class DiskTier implements AutoCloseable {
    private static final List<Condition> BEST_FIRST =
            List.of(Condition.WORKING, Condition.LOADING, Condition.PAUSED, Condition.UNUSABLE);

    private final DiskCounters counters = new DiskCounters();
    private final RecordKeys keys = new RecordKeys();
    private final long limitBytes;
    private final ByteBudget budget;
    private final List<TierDisk> disks;
    private volatile int turn;

    private DiskTier(long limitBytes, ByteBudget budget, Function<DiskCounters, List<TierDisk>> disks) {
        this.limitBytes = limitBytes;
        this.budget = budget;
        this.disks = disks.apply(counters);
    }

    /** A tier that keeps nothing. */
    public static DiskTier none(MemoryPool pool) {
        return new DiskTier(0, new ByteBudget(0), _ -> List.of());
    }

    /**
     * A tier in a folder. Returns at once, or in 5 s if the folder cannot be listed. Blocks that an earlier process
     * left there are found once they are loaded.
     */
    public static DiskTier open(DiskSettings settings, MemoryPool pool, Ticker ticker) {
        return open(settings, pool, storage -> storage, ticker);
    }

    /**
     * A tier in a folder, whose memory counts for the owners of the blocks.
     *
     * @param ownerOf the tenant for which the memory counts that blocks of this storage are read into
     */
    public static DiskTier open(
            DiskSettings settings, MemoryPool pool, Function<StorageLocation, ?> ownerOf, Ticker ticker) {
        ByteBudget budget = new ByteBudget(settings.queueBytes() - settings.survivorBytes());
        Survivors survivors = new Survivors(pool, new ByteBudget(settings.survivorBytes()));
        List<Path> folders = folders(settings);
        DiskTier tier = new DiskTier(
                settings.bytes(),
                budget,
                counters -> folders.stream()
                        .map(folder -> new TierDisk(
                                settings.of(folder, folders.size()),
                                new DiskMark(folder, folder.equals(settings.folder())),
                                pool,
                                ownerOf,
                                budget,
                                survivors,
                                counters,
                                ticker))
                        .toList());
        tier.disks.forEach(TierDisk::start);
        return tier;
    }

    /** The folders of the disks. If they cannot be listed, the tier's folder alone, which then says why. */
    private static List<Path> folders(DiskSettings settings) {
        try {
            return new DiskThreads(1, TierDisk.PATIENCE)
                    .run("the disk tier", null, () -> DiskFolders.settle(settings.folder(), settings.mostDisks()));
        } catch (StorageException e) {
            return List.of(settings.folder());
        }
    }

    /** A block from disk, all of its checksums verified, with a reference for the caller; null if it cannot be had. */
    public @Nullable StoredBlock get(BlockKey key) throws MemoryExhaustedException {
        if (disks.isEmpty()) {
            return null;
        }
        RecordKey recordKey = keys.of(key);
        for (TierDisk disk : disks) {
            StoredBlock found = disk.get(key, recordKey);
            if (found != null) {
                counters.hits().increment();
                return found;
            }
        }
        counters.misses().increment();
        return null;
    }

    /**
     * Length of the buffer of a block, by its header alone; 0 if the block is not here, its header is longer than 8
     * KiB, or the disk fails.
     */
    public int bufferBytes(BlockKey key) throws MemoryExhaustedException {
        RecordKey recordKey = keys.of(key);
        int bytes = 0;
        for (int i = 0; i < disks.size() && bytes == 0; i++) {
            bytes = disks.get(i).bufferBytes(key, recordKey);
        }
        return bytes;
    }

    /** Whether a block is on disk, or on its way there. */
    public boolean contains(BlockKey key) {
        return !disks.isEmpty() && contains(keys.of(key));
    }

    private boolean contains(RecordKey recordKey) {
        for (TierDisk disk : disks) {
            if (disk.contains(recordKey)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Keeps a block that was evicted from memory. If the disks cannot keep up, the block is dropped and counted. Never
     * waits.
     */
    public void demote(BlockKey key, StoredBlock block) {
        demote(key, block, Duration.ZERO);
    }

    /**
     * Keeps a block, and waits for the disks if they cannot keep up; afterwards drops and counts it.
     *
     * @param patience the longest wait
     */
    public void demote(BlockKey key, StoredBlock block, Duration patience) {
        if (disks.isEmpty()) {
            return;
        }
        RecordKey recordKey = keys.of(key);
        if (contains(recordKey)) {
            return;
        }
        // A disk that hangs must not keep the memory in which blocks wait for the other disks.
        disks.forEach(TierDisk::dropIfHanging);
        TierDisk disk = next(block);
        long bytes = block.memory().takenBytes();
        if (disk != null && take(bytes, patience)) {
            disk.add(recordKey, block, bytes);
        } else {
            counters.dropped().increment();
        }
    }

    /** The next disk in turn that takes the block, or null. */
    private @Nullable TierDisk next(StoredBlock block) {
        int first = turn;
        for (int i = 0; i < disks.size(); i++) {
            int next = (first + i) % disks.size();
            if (disks.get(next).takes(block)) {
                // The disk behind one that is passed over has no turns more than others.
                turn = next + 1;
                return disks.get(next);
            }
        }
        return null;
    }

    private boolean take(long bytes, Duration patience) {
        try {
            return patience.isPositive() ? budget.take(bytes, patience) : budget.tryTake(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Forgets a block, on disk too. */
    public void forget(BlockKey key) {
        RecordKey recordKey = keys.of(key);
        disks.forEach(disk -> disk.forget(recordKey));
    }

    /** The state of the tier: that of its best disk. The reason names each disk that is not used. */
    public DiskState state() {
        if (disks.isEmpty()) {
            return new DiskState(Condition.NONE, "kvstore.disk-tier-size is 0");
        }
        List<DiskState> states = states();
        if (states.size() == 1) {
            return states.getFirst();
        }
        Condition best = BEST_FIRST.stream()
                .filter(condition -> states.stream().anyMatch(state -> state.condition() == condition))
                .findFirst()
                .orElseThrow();
        return new DiskState(
                best,
                states.stream()
                        .map(state -> state.condition() == Condition.WORKING
                                ? state.reason()
                                : state.condition().word() + ": " + state.reason())
                        .collect(Collectors.joining("; ", disks.size() + " disks: ", "")));
    }

    /** The state of each disk. */
    public List<DiskState> states() {
        return disks.stream().map(TierDisk::state).toList();
    }

    public DiskCounters counters() {
        return counters;
    }

    /** Number of blocks on disk. */
    public long blocks() {
        return sum(TierDisk::blocks);
    }

    /** Bytes of disk that the tier's files take up, counting each file as if it were full. */
    public long usedBytes() {
        return sum(TierDisk::usedBytes);
    }

    private long sum(ToLongFunction<TierDisk> number) {
        return disks.stream().mapToLong(number).sum();
    }

    /** Most bytes that the tier's files take up. */
    public long limitBytes() {
        return limitBytes;
    }

    /** Writes the blocks that wait, for 10 s at most, and leaves the folder to the next process. */
    @Override
    public void close() {
        List<Thread> closing = disks.stream()
                .map(disk -> Thread.startVirtualThread(disk::close))
                .toList();
        try {
            for (Thread thread : closing) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
