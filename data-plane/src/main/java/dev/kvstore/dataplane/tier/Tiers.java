package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.Turn;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The way to a block: memory first, then disk, then its {@link BlockSource}. A block is loaded once, however many
 * callers ask for it meanwhile. A block that was found on disk or loaded from storage enters memory, if the memory tier
 * admits it; a block from another region that this region's storage does not hold yet
 * ({@link Fetched.FetchedBlock#passing()}) does not. Thread-safe.
 */
public final class Tiers implements AutoCloseable {
    /** How long a process that ends waits for the disk to take the blocks that are in memory. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    /**
     * Most loads of a block for one request: a block that was purged while it was being loaded is loaded again. After
     * the last load the block counts as absent.
     */
    private static final int LOADS = 3;

    /** How long a preheated block waits until the disk has taken earlier ones. */
    private static final Duration PREHEAT_PATIENCE = Duration.ofSeconds(5);

    private final MemoryTier memory;
    private final DiskTier disk;
    private final SingleFlight flights;
    private final PurgeRules purged;
    private final KeyChanges changes = new KeyChanges();

    /**
     * The way through these tiers.
     *
     * @param memory hands the blocks that it evicts to {@code disk}
     * @param executor runs loads, which block
     */
    public Tiers(MemoryTier memory, DiskTier disk, Executor executor) {
        this(memory, disk, new PurgeRules(true), executor);
    }

    /**
     * Tiers of a process that hears of purges.
     *
     * @param purged the purges, whose blocks must not be served as they are in memory or on disk
     */
    public Tiers(MemoryTier memory, DiskTier disk, PurgeRules purged, Executor executor) {
        this.purged = purged;
        this.memory = memory;
        this.disk = disk;
        this.flights = new SingleFlight(executor);
    }

    /** A block that is in memory, or null. The caller gives its reference back. */
    public @Nullable StoredBlock resident(BlockKey key) {
        return memory.find(key);
    }

    /** Whether a block is in memory or on disk. */
    public boolean isResident(BlockKey key) {
        return memory.contains(key) || (disk.contains(key) && !purged.isDoubtful(key));
    }

    /** A block, like {@link #get(BlockSource, BlockKey, Turn)}, for a caller that waits for no other block. */
    public CompletableFuture<Fetched> get(BlockSource originBlocks, BlockKey key) {
        return get(originBlocks, key, Turn.NOW);
    }

    /** Length of the buffer of a block in memory; 0 if it is not there. Never waits. */
    public int memoryBytes(BlockKey key) {
        return memory.bufferBytes(key);
    }

    /** Length of the buffer of a block on disk, by its header there; 0 if the disk cannot tell. Reads the disk. */
    public int diskBytes(BlockKey key) throws MemoryExhaustedException {
        return disk.contains(key) && !purged.isDoubtful(key) ? disk.bufferBytes(key) : 0;
    }

    /**
     * A block, wherever it is. The future belongs to one caller, which gives the block's reference back. Cancelling the
     * future gives that reference up; a load that no caller waits for any more is given up.
     *
     * @param turn is asked by the thread that loads, before the load takes memory. If the turns of all callers that
     *     wait for the block refuse, the load fails with {@link MemoryExhaustedException}
     */
    public CompletableFuture<Fetched> get(BlockSource originBlocks, BlockKey key, Turn turn) {
        StoredBlock resident = memory.get(key);
        if (resident != null) {
            return CompletableFuture.completedFuture(new Fetched.FetchedBlock(resident));
        }
        return flights.load(key, turn, () -> {
            // A load that ended between the look above and this one has left the block in memory.
            StoredBlock landed = memory.get(key);
            return landed == null ? load(originBlocks, key) : new Fetched.FetchedBlock(landed);
        });
    }

    private Fetched load(BlockSource originBlocks, BlockKey key) throws StorageException, MemoryExhaustedException {
        for (int i = 0; i < LOADS; i++) {
            long before = purged.version();
            long changed = changes.of(key);
            StoredBlock risen = rise(key, changed);
            Fetched fetched = risen == null ? fetch(originBlocks, key, changed) : new Fetched.FetchedBlock(risen);
            if (!(fetched instanceof Fetched.FetchedBlock(StoredBlock block, boolean _))
                    || !purged.purgedSince(before, key, block.header())) {
                return fetched;
            }
            // The block was purged while it was being loaded: storage says whether there is another now.
            forget(key);
            block.release();
        }
        return new Fetched.Absent();
    }

    private @Nullable StoredBlock rise(BlockKey key, long changed) throws MemoryExhaustedException {
        StoredBlock block = disk.get(key);
        if (block != null && !isBelieved(key, block)) {
            return null;
        }
        if (block != null) {
            keepUnlessChanged(key, block, changed);
        }
        return block;
    }

    /** Whether a block from disk may be served: no purge meant it. If not, its reference is given back. */
    private boolean isBelieved(BlockKey key, StoredBlock block) {
        if (!purged.isDoubtful(key)) {
            return true;
        }
        if (purged.isKnown() && !purged.isPurged(key, block.header())) {
            purged.seen(key);
            return true;
        }
        block.release();
        if (purged.isKnown()) {
            disk.forget(key);
        }
        return false;
    }

    private Fetched fetch(BlockSource originBlocks, BlockKey key, long changed)
            throws StorageException, MemoryExhaustedException {
        Fetched fetched = SingleFlight.asking(() -> originBlocks.fetch(key));
        if (fetched instanceof Fetched.FetchedBlock(StoredBlock block, boolean passing) && !passing) {
            purged.seen(key);
            keepUnlessChanged(key, block, changed);
        }
        return fetched;
    }

    /**
     * Keeps a block in memory that is on its way to a caller, unless its key has changed since the block was asked for.
     * If that fails, the block's reference is given back.
     */
    private void keepUnlessChanged(BlockKey key, StoredBlock block, long changed) {
        boolean done = false;
        try {
            memory.put(key, block, () -> changes.isUnchanged(key, changed));
            done = true;
        } finally {
            if (!done) {
                block.release();
            }
        }
    }

    /**
     * A moment, as far as one block is concerned.
     *
     * @param changes of the block's key
     * @param purges known then
     */
    public record BlockMoment(long changes, long purges) {}

    /** This moment, to be taken before storage is asked for a block, or given one. */
    public BlockMoment now(BlockKey key) {
        return new BlockMoment(changes.of(key), purged.version());
    }

    /** Whether a block cannot have changed since a moment, as far as this process knows. */
    public boolean isCurrent(BlockKey key, BlockMoment since) {
        return changes.isUnchanged(key, since.changes) && purged.version() == since.purges;
    }

    /**
     * Keeps a block that storage has just stored. The tiers forget any other block under this key, also one that is
     * being loaded, since its bytes may differ. If the key has changed again, the tiers only forget. The caller keeps
     * its reference; the tier takes one of its own.
     *
     * @param before the moment before storage was given the block
     */
    public void keep(BlockKey key, StoredBlock block, BlockMoment before) {
        BlockMoment since = forget(key, before);
        if (isCurrent(key, since)) {
            purged.seen(key);
            memory.put(key, block, () -> isCurrent(key, since));
        }
    }

    /**
     * Keeps a block of storage that no client has asked for, in free room only: no other block is evicted for it. The
     * caller keeps its reference.
     *
     * @param before the moment before storage was asked for the block
     * @param inMemory whether to prefer memory; otherwise, or if memory has no room, the block goes to the disk
     * @return whether it is in memory or on disk now
     */
    public boolean preheat(BlockKey key, StoredBlock block, BlockMoment before, boolean inMemory) {
        if (isResident(key)) {
            return true;
        }
        if (!isCurrent(key, before)) {
            return false;
        }
        purged.seen(key);
        if (inMemory && memory.usedBytes() + block.memory().takenBytes() <= memory.budgetBytes()) {
            memory.put(key, block, () -> isCurrent(key, before));
        } else if (disk.usedBytes() + block.memory().takenBytes() <= disk.limitBytes()) {
            disk.demote(key, block, PREHEAT_PATIENCE);
            if (!isCurrent(key, before)) {
                disk.forget(key);
            }
        }
        return isResident(key);
    }

    /**
     * A block was stored, here or by another process. Callers that ask for it from now on do not share a load that
     * began before, which may not find it.
     */
    public void overtake(BlockKey key) {
        flights.overtake(key);
    }

    /** Forgets a block that storage no longer has as it was, also one that is being loaded. */
    public void forget(BlockKey key) {
        var _ = forget(key, now(key));
    }

    /**
     * Like {@link #forget(BlockKey)}.
     *
     * @param before the moment before the block was stored anew
     * @return a moment as of which that new block is current, unless its key had changed before
     */
    public BlockMoment forget(BlockKey key, BlockMoment before) {
        long changed = changes.begin(key, before.changes);
        try {
            // The order matters: a load cannot bring the block into memory any more, and memory cannot hand it to the
            // disk.
            memory.remove(key);
            disk.forget(key);
        } finally {
            changes.end(key);
        }
        return new BlockMoment(changed, before.purges);
    }

    /**
     * Forgets purged blocks that are in memory. A purged block on disk is found out when it is asked for.
     *
     * @return how many there were
     */
    public int forgetPurged() {
        List<BlockKey> found = memory.keys((key, block) -> purged.isPurged(key, block.header()));
        found.forEach(memory::remove);
        return found.size();
    }

    /** Hands the blocks in memory to the disk, for 10 s at most, and forgets all. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + LAST_WORDS.toNanos();
        memory.drain((key, block) -> {
            disk.demote(key, block, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            block.release();
        });
        disk.close();
    }
}
