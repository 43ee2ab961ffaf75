package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import dev.kvstore.dataplane.tier.policy.Kept;
import dev.kvstore.protocol.block.BlockHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Blocks in off-heap memory, within a byte budget. When a new block needs room, the eviction policy chooses the blocks
 * that leave; they are handed to the tier below. Thread-safe.
 */
public final class MemoryTier {
    /** Takes the blocks that are evicted. To keep one, it takes a reference of its own. Must not wait. */
    @FunctionalInterface
    public interface LowerTier {
        void take(BlockKey key, StoredBlock block);
    }

    private final long budgetBytes;
    private final LowerTier lower;
    private final ReentrantLock lock = new ReentrantLock();
    private final Kept<BlockKey, StoredBlock> kept;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder evictions = new LongAdder();

    /**
     * An empty tier.
     *
     * @param budgetBytes most bytes kept, each block's padding among them; 0 keeps nothing
     */
    public MemoryTier(long budgetBytes, LowerTier lower) {
        this(budgetBytes, BlockKey::storage, lower);
    }

    /**
     * An empty tier in which each owner keeps an equal share while it uses its blocks.
     *
     * @param ownerOf the owner whose share a block counts for
     */
    public MemoryTier(long budgetBytes, Function<BlockKey, ?> ownerOf, LowerTier lower) {
        this(budgetBytes, EvictionPolicy.inService(System::nanoTime, ownerOf), ownerOf, lower);
    }

    /** A memory tier with another eviction policy. */
    MemoryTier(long budgetBytes, EvictionPolicy<BlockKey> policy, LowerTier lower) {
        this(budgetBytes, policy, BlockKey::storage, lower);
    }

    private MemoryTier(
            long budgetBytes, EvictionPolicy<BlockKey> policy, Function<BlockKey, ?> ownerOf, LowerTier lower) {
        this.budgetBytes = budgetBytes;
        this.lower = lower;
        this.kept = new Kept<>(budgetBytes, policy, block -> block.memory().takenBytes(), ownerOf, System::nanoTime);
    }

    /** A block with a reference for the caller, or null. */
    public @Nullable StoredBlock get(BlockKey key) {
        lock.lock();
        try {
            StoredBlock block = kept.use(key);
            (block == null ? misses : hits).increment();
            return block == null ? null : block.retain();
        } finally {
            lock.unlock();
        }
    }

    /** Like {@link #get}, but a missing block is not counted as a miss: the caller asks again in another way. */
    @Nullable
    StoredBlock find(BlockKey key) {
        lock.lock();
        try {
            if (!kept.contains(key)) {
                return null;
            }
        } finally {
            lock.unlock();
        }
        return get(key);
    }

    /** Whether a block is here, without making it more recent. */
    public boolean contains(BlockKey key) {
        lock.lock();
        try {
            return kept.contains(key);
        } finally {
            lock.unlock();
        }
    }

    /** Length of the buffer of a block that is here, without making it more recent; 0 if it is not. */
    int bufferBytes(BlockKey key) {
        lock.lock();
        try {
            StoredBlock block = kept.peek(key);
            return block == null ? 0 : block.header().bufferBytes();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Keeps a block, with a reference of its own, if the block fits the budget and the policy admits it; other blocks
     * are evicted for it. A block that is not kept goes to the tier below.
     */
    public void put(BlockKey key, StoredBlock block) {
        put(key, block, () -> true);
    }

    /**
     * Like {@link #put(BlockKey, StoredBlock)}; has no effect if the block is not the one that storage has.
     *
     * @param isCurrent whether it is; runs under the lock of this tier
     */
    void put(BlockKey key, StoredBlock block, BooleanSupplier isCurrent) {
        BlockKey parent = parent(key, block);
        List<StoredBlock> leaving = new ArrayList<>();
        lock.lock();
        try {
            if (!isCurrent.getAsBoolean()) {
                return;
            }
            // Under the lock: a block that is forgotten meanwhile is either still here, or below already.
            Kept.PutEffect put = kept.put(key, parent, block, (victim, left) -> {
                leaving.add(left);
                lower.take(victim, left);
            });
            switch (put) {
                case KEPT -> {
                    var _ = block.retain();
                    block.memory().keptByTier();
                }
                case REFUSED -> lower.take(key, block);
                case PRESENT -> {}
            }
        } finally {
            lock.unlock();
            evictions.add(leaving.size());
            leaving.forEach(MemoryTier::giveUp);
        }
    }

    private static @Nullable BlockKey parent(BlockKey key, StoredBlock block) {
        BlockHash parent = block.header().parent();
        return parent.equals(key.root()) ? null : new BlockKey(key.storage(), key.root(), parent);
    }

    /** Forgets a block, if it is here. */
    public void remove(BlockKey key) {
        StoredBlock block;
        lock.lock();
        try {
            block = kept.remove(key);
        } finally {
            lock.unlock();
        }
        if (block != null) {
            giveUp(block);
        }
    }

    /** The keys of the blocks that fulfil a condition, which runs under the lock of this tier. */
    List<BlockKey> keys(BiPredicate<BlockKey, StoredBlock> condition) {
        lock.lock();
        try {
            return kept.keys(condition);
        } finally {
            lock.unlock();
        }
    }

    private static void giveUp(StoredBlock block) {
        block.memory().leftTier();
        block.release();
    }

    /** Takes every block out, the one most worth keeping first. Its reference passes to {@code heir}. */
    void drain(LowerTier heir) {
        Map<BlockKey, StoredBlock> leaving;
        lock.lock();
        try {
            leaving = kept.removeAll();
        } finally {
            lock.unlock();
        }
        leaving.forEach((key, block) -> {
            block.memory().leftTier();
            heir.take(key, block);
        });
    }

    /** Bytes of off-heap memory held. */
    public long usedBytes() {
        lock.lock();
        try {
            return kept.usedBytes();
        } finally {
            lock.unlock();
        }
    }

    /** Number of owners that used a block within the last 10 minutes, and so keep their shares. */
    public int owners() {
        lock.lock();
        try {
            return kept.owners();
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of the owner that has the most here. */
    public long mostOfOneOwner() {
        lock.lock();
        try {
            return kept.mostOfOneOwner();
        } finally {
            lock.unlock();
        }
    }

    public long budgetBytes() {
        return budgetBytes;
    }

    public long hits() {
        return hits.sum();
    }

    public long misses() {
        return misses.sum();
    }

    public long evictions() {
        return evictions.sum();
    }
}
