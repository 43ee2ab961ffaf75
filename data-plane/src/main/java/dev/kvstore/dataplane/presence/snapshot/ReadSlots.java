package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Slots for reads from storage, given in the order in which reads come. A read that has lasted for the patience of
 * these slots waits for storage and not for a processor. It gives its slot up, so that a slow file keeps no other from
 * being read. Thread-safe.
 */
final class ReadSlots {
    /** A read that has begun. */
    static final class RunningRead {
        private final long since;
        private boolean slow;

        private RunningRead(long since) {
            this.since = since;
        }
    }

    private final int slots;
    private final int mostSlow;
    private final Duration patience;

    /** The lock that the next read holds. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition free = lock.newCondition();
    private final Deque<RunningRead> running = new ArrayDeque<>();
    private int slow;

    /**
     * Slots that are all free.
     *
     * @param mostSlow while this many reads have given their slots up, no further read begins
     */
    ReadSlots(int slots, int mostSlow, Duration patience) {
        this.slots = slots;
        this.mostSlow = mostSlow;
        this.patience = patience;
    }

    /**
     * Waits for a slot. The caller gives the read to {@link #leave} when it is over.
     *
     * @throws StorageException if too many reads wait for storage
     */
    RunningRead enter() throws StorageException {
        try {
            turn.lockInterruptibly();
            try {
                return next();
            } finally {
                turn.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(Kind.UNAVAILABLE, "interrupted while others read presence files", e);
        }
    }

    private RunningRead next() throws StorageException, InterruptedException {
        lock.lockInterruptibly();
        try {
            for (long left = untilFree(); left > 0; left = untilFree()) {
                long _ = free.awaitNanos(left);
            }
            if (slow >= mostSlow) {
                throw new StorageException(
                        Kind.UNAVAILABLE, slow + " reads of presence files wait for storage already", null);
            }
            RunningRead read = new RunningRead(System.nanoTime());
            running.add(read);
            return read;
        } finally {
            lock.unlock();
        }
    }

    /** Nanoseconds until a slot is free at the latest. */
    private long untilFree() {
        long now = System.nanoTime();
        RunningRead oldest = running.peek();
        while (oldest != null && now - oldest.since >= patience.toNanos()) {
            oldest.slow = true;
            slow++;
            running.remove();
            oldest = running.peek();
        }
        return oldest == null || running.size() < slots ? 0 : oldest.since + patience.toNanos() - now;
    }

    /** A read is over. */
    void leave(RunningRead read) {
        lock.lock();
        try {
            if (read.slow) {
                slow--;
            } else {
                running.remove(read);
                free.signal();
            }
        } finally {
            lock.unlock();
        }
    }
}
