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

/** Blocks in off-heap memory, within a byte budget of its own, the least recently used leaving first. Thread-safe. */
public final class MemoryTier implements AutoCloseable {
    private final long budgetBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<BlockKey, StoredBlock> blocks = new LinkedHashMap<>(1024, 0.75f, true);
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private long usedBytes;

    /**
     * An empty tier.
     *
     * @param budgetBytes most bytes kept; 0 keeps nothing
     */
    public MemoryTier(long budgetBytes) {
        this.budgetBytes = budgetBytes;
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
        long length = block.memory().length();
        if (length > budgetBytes) {
            return;
        }
        List<StoredBlock> leaving = new ArrayList<>();
        lock.lock();
        try {
            if (blocks.containsKey(key)) {
                return;
            }
            Iterator<StoredBlock> eldest = blocks.values().iterator();
            while (usedBytes + length > budgetBytes) {
                StoredBlock victim = eldest.next();
                eldest.remove();
                usedBytes -= victim.memory().length();
                leaving.add(victim);
            }
            blocks.put(key, block.retain());
            usedBytes += length;
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
                usedBytes -= block.memory().length();
            }
        } finally {
            lock.unlock();
        }
        if (block != null) {
            block.release();
        }
    }

    /** Forgets every block. */
    @Override
    public void close() {
        List<StoredBlock> leaving;
        lock.lock();
        try {
            leaving = new ArrayList<>(blocks.values());
            blocks.clear();
            usedBytes = 0;
        } finally {
            lock.unlock();
        }
        leaving.forEach(StoredBlock::release);
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
