package dev.kvstore.dataplane.tier.disk;

import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.ByteBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocks on their way to the disk, and names of blocks that the disk is to forget. A block stays here until it can be
 * found on disk, so that a reader finds it at every moment. A budget bounds the bytes of blocks. The caller of
 * {@link #add} takes a block's bytes from the budget first: {@link DiskTier#demote} drops an evicted block if the
 * budget is used up, and waits for room with a preheated one. Thread-safe; one thread takes batches.
 */
final class DemotionQueue {
    /**
     * Most names that wait to be forgotten: 262,144. Further names are not written down: whoever opens the log after
     * that starts empty, if the disk has a {@link DiskMark mark}; else a later process may find their blocks again.
     */
    static final int MOST_FORGOTTEN = 262_144;

    /** Most bytes of blocks in a batch; a first block that has more is written alone. */
    private static final int BATCH_BYTES = 16 << 20;

    /**
     * The names and blocks that are written at once: first the names that the disk forgets, then the blocks that it
     * keeps.
     */
    record Batch(List<RecordKey> forgotten, Map<RecordKey, StoredBlock> blocks) {
        boolean isEmpty() {
            return forgotten.isEmpty() && blocks.isEmpty();
        }
    }

    private final ByteBudget budget;
    private final Duration retry;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<RecordKey, StoredBlock> waiting = new LinkedHashMap<>();
    private final Map<RecordKey, StoredBlock> taken = new LinkedHashMap<>();
    private final Set<RecordKey> forgotten = new LinkedHashSet<>();
    private boolean postponed;
    private boolean lost;
    private boolean closed;

    /**
     * An empty queue.
     *
     * @param retry how long names wait that could not be written, if no block comes
     */
    DemotionQueue(ByteBudget budget, Duration retry) {
        this.budget = budget;
        this.retry = retry;
    }

    /**
     * Adds a block, taking a reference, unless it is here already.
     *
     * @param bytes that the caller has taken from the budget for the block; the queue gives them back
     */
    void add(RecordKey key, StoredBlock block, long bytes) {
        lock.lock();
        try {
            if (!closed && !waiting.containsKey(key) && !taken.containsKey(key)) {
                waiting.put(key, block.retain());
                postponed = false;
                changed.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        budget.giveBack(bytes);
    }

    /** A block that is on its way, with a reference for the caller, or null. */
    @Nullable
    StoredBlock get(RecordKey key) {
        lock.lock();
        try {
            StoredBlock block = waiting.get(key);
            if (block == null) {
                block = taken.get(key);
            }
            return block == null ? null : block.retain();
        } finally {
            lock.unlock();
        }
    }

    boolean contains(RecordKey key) {
        lock.lock();
        try {
            return waiting.containsKey(key) || taken.containsKey(key);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Forgets a block here, and on disk with the next batch.
     *
     * @param index removes the block from the disk's index, and answers whether the index had it; called with this
     *     queue's lock held
     */
    void forget(RecordKey key, Predicate<RecordKey> index) {
        StoredBlock removed;
        lock.lock();
        try {
            removed = waiting.remove(key);
            boolean written = taken.remove(key) != null;
            if (index.test(key) || written) {
                if (forgotten.size() < MOST_FORGOTTEN) {
                    forgotten.add(key);
                    changed.signal();
                } else {
                    lost = true;
                }
            }
        } finally {
            lock.unlock();
        }
        if (removed != null) {
            release(removed);
        }
    }

    /**
     * The log is loaded, and its blocks can be found from now on, except those that this process has forgotten before.
     * If it has forgotten more than {@link #MOST_FORGOTTEN}, all blocks in the log are forgotten.
     *
     * @param publish makes the log visible to readers; runs under the lock, so that no block is forgotten meanwhile
     */
    void open(DiskLog log, Runnable publish) {
        lock.lock();
        try {
            if (lost) {
                log.startEmpty();
                lost = false;
            }
            forgotten.removeIf(key -> !log.index().remove(key));
            publish.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for blocks or names, and takes as many as fit into a batch; the batch is empty if the first block does not
     * fit.
     *
     * @param pages of 4 KiB that the batch may have, its directory among them
     * @return null once the queue is closed and empty
     */
    @Nullable
    Batch take(int pages) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty() && (forgotten.isEmpty() || postponed)) {
                if (closed) {
                    return null;
                }
                if (forgotten.isEmpty()) {
                    changed.await();
                } else if (changed.awaitNanos(retry.toNanos()) <= 0) {
                    postponed = false;
                }
            }
            return pages < 1 ? new Batch(List.of(), Map.of()) : batch(pages - 1);
        } finally {
            lock.unlock();
        }
    }

    private Batch batch(int pages) {
        Batch batch = new Batch(new ArrayList<>(), new LinkedHashMap<>());
        Iterator<RecordKey> names = forgotten.iterator();
        while (names.hasNext() && batch.forgotten().size() < Directory.MAX_ENTRIES) {
            batch.forgotten().add(names.next());
            names.remove();
        }
        int left = pages;
        long bytes = 0;
        Iterator<Map.Entry<RecordKey, StoredBlock>> blocks = waiting.entrySet().iterator();
        // A block may have been forgotten before it was added here again: so all names go first.
        while (forgotten.isEmpty()
                && blocks.hasNext()
                && batch.forgotten().size() + batch.blocks().size() < Directory.MAX_ENTRIES) {
            Map.Entry<RecordKey, StoredBlock> next = blocks.next();
            int length = next.getValue().memory().takenBytes();
            left -= DiskAddress.pages(length);
            bytes += length;
            if (left < 0 || (bytes > BATCH_BYTES && !batch.blocks().isEmpty())) {
                break;
            }
            batch.blocks().put(next.getKey(), next.getValue());
            blocks.remove();
        }
        taken.putAll(batch.blocks());
        return batch;
    }

    /**
     * A batch was written, or given up.
     *
     * @param written is told, under the lock, of each block of the batch that was not forgotten meanwhile
     */
    void done(Batch batch, Consumer<RecordKey> written) {
        lock.lock();
        try {
            batch.blocks().forEach((key, block) -> {
                if (taken.remove(key, block)) {
                    written.accept(key);
                }
            });
        } finally {
            lock.unlock();
        }
        batch.blocks().values().forEach(this::release);
    }

    /**
     * Takes back names that could not be written. They wait for the next block, or for a while, so that a failing disk
     * is not tried without end.
     */
    void putBack(List<RecordKey> names) {
        lock.lock();
        try {
            forgotten.addAll(names);
            postponed = true;
        } finally {
            lock.unlock();
        }
    }

    private void release(StoredBlock block) {
        long bytes = block.memory().takenBytes();
        block.release();
        budget.giveBack(bytes);
    }

    /** Accepts no more blocks; those that wait can still be taken. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Whether names wait that the disk has not been told, or that were too many to wait. */
    boolean owesNames() {
        lock.lock();
        try {
            return lost || !forgotten.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether there were too many names to wait: the disk will never be told all. */
    boolean hasLostNames() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Drops the blocks that wait, and returns how many. Names that wait stay, and are written with the next block, or
     * after a while.
     */
    int drop() {
        List<StoredBlock> dropped;
        lock.lock();
        try {
            dropped = new ArrayList<>(waiting.values());
            waiting.clear();
            postponed = true;
        } finally {
            lock.unlock();
        }
        dropped.forEach(this::release);
        return dropped.size();
    }
}
