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

/** The way to a block: memory first, then disk, then where it comes from, once however many ask. Thread-safe. */
public final class Tiers implements AutoCloseable {
    /** How long a process that ends waits for the disk to take what memory holds. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    /** A purge that goes on while a block is loaded has it loaded again; more than one at a time is rare. */
    private static final int LOADS = 3;

    /** How long a block that nobody asked for waits for the disk to keep up. */
    private static final Duration PREHEAT_PATIENCE = Duration.ofSeconds(5);

    private final MemoryTier memory;
    private final DiskTier disk;
    private final SingleFlight flights;
    private final PurgeRules purged;

    /**
     * The way through these tiers.
     *
     * @param memory whose blocks leave for {@code disk}
     * @param executor runs loads, which block
     */
    public Tiers(MemoryTier memory, DiskTier disk, Executor executor) {
        this(memory, disk, new PurgeRules(true), executor);
    }

    /**
     * As above.
     *
     * @param purged what may not be served from here as it was
     */
    public Tiers(MemoryTier memory, DiskTier disk, PurgeRules purged, Executor executor) {
        this.purged = purged;
        this.memory = memory;
        this.disk = disk;
        this.flights = new SingleFlight(executor);
    }

    /** A block that is in memory, with a reference for the caller, or null. */
    public @Nullable StoredBlock resident(BlockKey key) {
        return memory.find(key);
    }

    /** Whether a block is in memory or on disk. */
    public boolean isResident(BlockKey key) {
        return memory.contains(key) || (disk.contains(key) && !purged.isDoubtful(key));
    }

    /** As below, for who waits for this block and for no other. */
    public CompletableFuture<Fetched> get(Origin origin, BlockKey key) {
        return get(origin, key, Turn.NOW);
    }

    /**
     * A block from wherever it is. The future belongs to one caller, who gives the block's reference back. Cancelling it gives
     * up that reference; the load is given up with the last who waits for it.
     *
     * @param turn asked before the load takes memory, by the thread that loads; with it refused, and that of all others who
     *     wait for the block, the load fails with {@link MemoryExhaustedException}
     */
    public CompletableFuture<Fetched> get(Origin origin, BlockKey key, Turn turn) {
        StoredBlock resident = memory.get(key);
        if (resident != null) {
            return CompletableFuture.completedFuture(new Fetched.Found(resident));
        }
        return flights.load(key, turn, () -> {
            // Whoever landed between the look above and this flight has left the block in memory.
            StoredBlock landed = memory.get(key);
            return landed == null ? load(origin, key) : new Fetched.Found(landed);
        });
    }

    private Fetched load(Origin origin, BlockKey key) throws StorageException, MemoryExhaustedException {
        for (int i = 0; i < LOADS; i++) {
            long before = purged.version();
            StoredBlock risen = rise(key);
            Fetched fetched = risen == null ? fetch(origin, key) : new Fetched.Found(risen);
            if (!(fetched instanceof Fetched.Found(StoredBlock block, boolean _))
                    || !purged.purgedSince(before, key, block.header())) {
                return fetched;
            }
            // It was purged while it was on its way: storage says what there is now.
            forget(key);
            block.release();
        }
        return new Fetched.Absent();
    }

    private @Nullable StoredBlock rise(BlockKey key) throws MemoryExhaustedException {
        StoredBlock block = disk.get(key);
        if (block != null && !isBelieved(key, block)) {
            return null;
        }
        if (block != null) {
            orRelease(block, () -> {
                memory.put(key, block);
                if (!disk.contains(key)) {
                    // It may have been forgotten between the two lines above.
                    memory.remove(key);
                }
            });
        }
        return block;
    }

    /** Else its reference is given back. */
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

    private Fetched fetch(Origin origin, BlockKey key) throws StorageException, MemoryExhaustedException {
        Fetched fetched = SingleFlight.asking(() -> origin.fetch(key));
        if (fetched instanceof Fetched.Found(StoredBlock block, boolean passing) && !passing) {
            purged.seen(key);
            orRelease(block, () -> memory.put(key, block));
        }
        return fetched;
    }

    /** Does something with a block on its way to who asked: should it fail, nobody gets the block. */
    private static void orRelease(StoredBlock block, Runnable step) {
        boolean done = false;
        try {
            step.run();
            done = true;
        } finally {
            if (!done) {
                block.release();
            }
        }
    }

    /** Keeps a block that storage has just taken, and did not have before: what the disk holds of it is out of date. */
    public void keep(BlockKey key, StoredBlock block) {
        disk.forget(key);
        purged.seen(key);
        memory.put(key, block);
    }

    /**
     * Keeps a block near that storage holds, as far as there is room that nobody uses: nothing leaves for it.
     *
     * @param inMemory rather than on disk
     * @return whether it is near
     */
    public boolean preheat(BlockKey key, StoredBlock block, boolean inMemory) {
        if (isResident(key)) {
            return true;
        }
        purged.seen(key);
        if (inMemory && memory.usedBytes() + block.memory().takenBytes() <= memory.budgetBytes()) {
            memory.put(key, block);
        } else if (disk.usedBytes() + block.memory().takenBytes() <= disk.limitBytes()) {
            disk.demote(key, block, PREHEAT_PATIENCE);
        }
        return isResident(key);
    }

    /** A block was stored, by whomever: who asks for it from now on does not share a load that began before. */
    public void overtake(BlockKey key) {
        flights.overtake(key);
    }

    /** Forgets a block that storage no longer has. */
    public void forget(BlockKey key) {
        // First on disk, so that none rises unnoticed; then in memory; then what left memory for the disk meanwhile.
        disk.forget(key);
        memory.remove(key);
        disk.forget(key);
    }

    /** Of what is known of purges: it grows when storage has lost blocks by one. */
    public long purges() {
        return purged.version();
    }

    /**
     * Forgets what memory holds of blocks that were purged. Of the disk's, each is looked at when it is asked for.
     *
     * @return how many there were
     */
    public int forgetPurged() {
        List<BlockKey> found = memory.keys((key, block) -> purged.isPurged(key, block.header()));
        found.forEach(memory::remove);
        return found.size();
    }

    /** Leaves what memory holds to the disk, as far as that takes it, and forgets it. */
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
