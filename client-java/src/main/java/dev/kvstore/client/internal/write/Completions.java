package dev.kvstore.client.internal.write;

import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.NewThread;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Completes the futures of a writer's blocks, on threads of its own, which code that depends on a future may block. One
 * thread runs from the start. Further threads begin while it is busy, and end when nothing is due; if the process can
 * have no more threads, blocks wait for a free one. The writer's lock guards this object.
 */
final class Completions {
    private static final String NAME = "kvstore-written";

    private final ReentrantLock lock;
    private final Condition changed;
    private final Consumer<PendingBlock> taken;
    private final Deque<PendingBlock> due = new ArrayDeque<>();
    private final Set<PendingBlock> incomplete = new HashSet<>();
    private boolean firstWaits;
    private boolean ended;

    /**
     * Starts the first thread.
     *
     * @param taken called with the lock held when a block waits no more for a thread
     * @throws KvStoreException {@code RESOURCE_EXHAUSTED} if the process can have no more threads
     */
    Completions(ReentrantLock lock, Consumer<PendingBlock> taken) {
        this.lock = lock;
        this.changed = lock.newCondition();
        this.taken = taken;
        NewThread.start(NAME, () -> work(true));
    }

    /** Completes the block's future soon. The caller holds the lock. */
    void add(PendingBlock block) {
        incomplete.add(block);
        due.add(block);
        if (firstWaits && due.size() == 1) {
            changed.signal();
            return;
        }
        try {
            NewThread.start(NAME, () -> work(false));
        } catch (KvStoreException e) {
            // A running thread takes the block when it is free.
        }
    }

    /** Notes that nothing more will be added. The caller holds the lock. */
    void end() {
        ended = true;
        changed.signal();
    }

    /** The blocks whose futures may not be complete yet. The caller holds the lock. */
    List<PendingBlock> incomplete() {
        return List.copyOf(incomplete);
    }

    private void work(boolean first) {
        for (PendingBlock next = next(first, null); next != null; next = next(first, next)) {
            next.complete();
        }
    }

    /** The next block, once the last one is complete; null if the thread is not needed any more. */
    private @Nullable PendingBlock next(boolean first, @Nullable PendingBlock last) {
        Thread.interrupted(); // code that depended on the last future may have interrupted this thread
        lock.lock();
        try {
            incomplete.remove(last);
            while (first && due.isEmpty() && !ended) {
                firstWaits = true;
                changed.awaitUninterruptibly();
                firstWaits = false;
            }
            PendingBlock next = due.poll();
            if (next != null) {
                taken.accept(next);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }
}
