package dev.kvstore.dataplane.storage.http;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Leave to read memory that is somebody else's. A request that has been given up may still be sending: so the lender's
 * {@link #close} waits until no reader is left, which after a request is cancelled takes as long as closing a
 * connection. Thread-safe; closing is for virtual threads.
 */
public final class Lease implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition unread = lock.newCondition();
    private int readers;
    private boolean closed;

    /** Begins to read; false, and nothing may be read, once the memory is asked back. */
    boolean begin() {
        lock.lock();
        try {
            if (!closed) {
                readers++;
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the reading that {@link #begin} began. */
    void end() {
        lock.lock();
        try {
            if (--readers == 0) {
                unread.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Asks the memory back, and returns when nobody reads it any more; interrupts do not cut that short. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            while (readers > 0) {
                unread.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
