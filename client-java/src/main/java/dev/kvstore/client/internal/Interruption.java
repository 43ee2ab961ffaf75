package dev.kvstore.client.internal;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the calls of the SDK that a task makes, and never the application's code between or after them.
 * Thread-safe.
 */
public final class Interruption {
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread thread;
    private boolean wanted;

    /** Makes a call of the SDK, on this thread. */
    public <T extends @Nullable Object> T during(Supplier<T> call) {
        begin();
        try {
            return call.get();
        } finally {
            end();
        }
    }

    private void begin() {
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

    private void end() {
        lock.lock();
        try {
            thread = null;
            Thread.interrupted();
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the present call and each that follows; does nothing from within a call. */
    public void interrupt() {
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
