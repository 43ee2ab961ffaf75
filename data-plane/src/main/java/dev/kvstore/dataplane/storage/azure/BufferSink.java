package dev.kvstore.dataplane.storage.azure;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory that is being filled by whichever thread brings the bytes. Once it is closed nobody writes to it any more,
 * even if an answer that was given up still arrives. Thread-safe.
 */
final class BufferSink implements AutoCloseable {
    private final ByteBuffer memory;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;
    private boolean overflown;

    BufferSink(ByteBuffer memory) {
        this.memory = memory;
    }

    /** Takes the remaining bytes of a chunk, as far as there is room. */
    void take(ByteBuffer chunk) {
        lock.lock();
        try {
            overflown |= chunk.remaining() > memory.remaining();
            if (!closed && !overflown) {
                memory.put(chunk);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether more came than fits. */
    boolean isOverflown() {
        lock.lock();
        try {
            return overflown;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes taken so far. */
    int length() {
        lock.lock();
        try {
            return memory.position();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}
