package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Blocks;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.storage.BlockStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The way to a block: memory first, then storage, once however many ask. Thread-safe. */
public final class Tiers {
    private final MemoryTier memory;
    private final Blocks blocks;
    private final SingleFlight flights;

    /**
     * The way through these tiers.
     *
     * @param executor runs loads, which block
     */
    public Tiers(MemoryTier memory, Blocks blocks, Executor executor) {
        this.memory = memory;
        this.blocks = blocks;
        this.flights = new SingleFlight(executor);
    }

    /** A block that is in memory, with a reference for the caller, or null. */
    public @Nullable StoredBlock resident(BlockKey key) {
        return memory.get(key);
    }

    /** Whether a block is in memory. */
    public boolean isResident(BlockKey key) {
        return memory.contains(key);
    }

    /**
     * A block from wherever it is. The future belongs to one caller, who gives the block's reference back; cancelling it
     * gives up that reference, not the load that others may wait for.
     */
    public CompletableFuture<Fetched> get(BlockStore store, BlockKey key) {
        StoredBlock resident = memory.get(key);
        if (resident != null) {
            return CompletableFuture.completedFuture(new Fetched.Found(resident));
        }
        return flights.load(key, () -> {
            // Whoever landed between the look above and this flight has left the block in memory.
            StoredBlock landed = memory.get(key);
            if (landed != null) {
                return new Fetched.Found(landed);
            }
            Fetched fetched = blocks.fetch(store, key);
            if (fetched instanceof Fetched.Found found) {
                memory.put(key, found.block());
            }
            return fetched;
        });
    }

    /** Keeps a block that storage has made durable. */
    public void keep(BlockKey key, StoredBlock block) {
        memory.put(key, block);
    }

    /** Forgets a block that storage no longer has. */
    public void forget(BlockKey key) {
        memory.remove(key);
    }
}
