package dev.kvstore.dataplane.memory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A number of bytes that may be in use at a time. A caller that wants more than is free waits. Callers are served in
 * their order, so that small ones do not starve a large one. Thread-safe; for virtual threads.
 */
public final class ByteBudget {
    private final long limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Condition> queue = new ArrayDeque<>();
    private long used;

    /**
     * A budget of which nothing is taken.
     *
     * @param limit bytes; 0 gives nothing
     */
    public ByteBudget(long limit) {
        this.limit = limit;
    }

    /**
     * Takes bytes, waiting for them if need be.
     *
     * @return false if they are more than the limit, or were not free within {@code patience}
     */
    public boolean take(long bytes, Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (bytes > limit) {
                return false;
            }
            if (queue.isEmpty() && used + bytes <= limit) {
                used += bytes;
                return true;
            }
            return waitFor(bytes, patience.toNanos());
        } finally {
            lock.unlock();
        }
    }

    private boolean waitFor(long bytes, long patienceNanos) throws InterruptedException {
        Condition turn = lock.newCondition();
        queue.addLast(turn);
        long nanos = patienceNanos;
        try {
            while (queue.peekFirst() != turn || used + bytes > limit) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = turn.awaitNanos(nanos);
            }
            used += bytes;
            return true;
        } finally {
            queue.remove(turn);
            signalFirst();
        }
    }

    /** Takes bytes if they are free and nobody waits. */
    public boolean tryTake(long bytes) {
        lock.lock();
        try {
            if (!queue.isEmpty() || used + bytes > limit) {
                return false;
            }
            used += bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives taken bytes back. */
    public void giveBack(long bytes) {
        lock.lock();
        try {
            used -= bytes;
            signalFirst();
        } finally {
            lock.unlock();
        }
    }

    private void signalFirst() {
        Condition first = queue.peekFirst();
        if (first != null) {
            first.signal();
        }
    }

    /** Bytes in use. */
    public long used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a caller waits for bytes. */
    boolean isWaitedFor() {
        lock.lock();
        try {
            return !queue.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Most bytes in use at a time. */
    public long limit() {
        return limit;
    }
}
