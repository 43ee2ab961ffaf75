package dev.kvstore.client.internal;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread of a task while the task runs, and never the application's code that follows. Thread-safe. */
final class Interruption {
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread thread;
    private boolean wanted;

    /** The task begins, on this thread. */
    void begin() {
        lock.lock();
        try {
            thread = Thread.currentThread();
            if (wanted) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The task is over; its thread is not interrupted any more. */
    void end() {
        lock.lock();
        try {
            thread = null;
            Thread.interrupted();
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the task, also one that begins later; does nothing from the task's own thread, or after its end. */
    void interrupt() {
        lock.lock();
        try {
            wanted = true;
            if (thread != null && thread != Thread.currentThread()) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
