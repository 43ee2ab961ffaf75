package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Blocks in off-heap memory, within a byte budget of its own, the least recently used leaving first, for the tier below.
 * Thread-safe.
 */
public final class MemoryTier {
    /** Where blocks go that leave for others; whoever wants to keep one takes a reference. Must not wait. */
    @FunctionalInterface
    public interface Below {
        void take(BlockKey key, StoredBlock block);
    }

    private final long budgetBytes;
    private final Below below;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<BlockKey, StoredBlock> blocks = new LinkedHashMap<>(1024, 0.75f, true);
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private long usedBytes;

    /**
     * An empty tier.
     *
     * @param budgetBytes most bytes kept, each block's padding among them; 0 keeps nothing
     */
    public MemoryTier(long budgetBytes, Below below) {
        this.budgetBytes = budgetBytes;
        this.below = below;
    }

    /** A block with a reference for the caller, or null. */
    public @Nullable StoredBlock get(BlockKey key) {
        lock.lock();
        try {
            StoredBlock block = blocks.get(key);
            (block == null ? misses : hits).increment();
            return block == null ? null : block.retain();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a block is here, without making it more recent. */
    public boolean contains(BlockKey key) {
        lock.lock();
        try {
            return blocks.containsKey(key);
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a block if it fits the budget at all, taking a reference of its own; others leave for it. */
    public void put(BlockKey key, StoredBlock block) {
        long bytes = block.memory().takenBytes();
        if (bytes > budgetBytes) {
            below.take(key, block);
            return;
        }
        List<StoredBlock> leaving = new ArrayList<>();
        lock.lock();
        try {
            if (blocks.containsKey(key)) {
                return;
            }
            Iterator<Map.Entry<BlockKey, StoredBlock>> eldest =
                    blocks.entrySet().iterator();
            while (usedBytes + bytes > budgetBytes) {
                Map.Entry<BlockKey, StoredBlock> victim = eldest.next();
                // Under the lock: a block that is forgotten meanwhile is either still here, or below already.
                below.take(victim.getKey(), victim.getValue());
                usedBytes -= victim.getValue().memory().takenBytes();
                leaving.add(victim.getValue());
                eldest.remove();
            }
            blocks.put(key, block.retain());
            usedBytes += bytes;
        } finally {
            lock.unlock();
        }
        evictions.add(leaving.size());
        leaving.forEach(StoredBlock::release);
    }

    /** Forgets a block, if it is here. */
    public void remove(BlockKey key) {
        StoredBlock block;
        lock.lock();
        try {
            block = blocks.remove(key);
            if (block != null) {
                usedBytes -= block.memory().takenBytes();
            }
        } finally {
            lock.unlock();
        }
        if (block != null) {
            block.release();
        }
    }

    /** Takes every block out, the most recently used first, its reference now that of {@code heir}. */
    void drain(Below heir) {
        Map<BlockKey, StoredBlock> leaving;
        lock.lock();
        try {
            leaving = new LinkedHashMap<>(blocks).reversed();
            blocks.clear();
            usedBytes = 0;
        } finally {
            lock.unlock();
        }
        leaving.forEach(heir::take);
    }

    /** Bytes of off-heap memory held. */
    public long usedBytes() {
        lock.lock();
        try {
            return usedBytes;
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
