package dev.kvstore.dataplane.storage;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Content on its way out. A backend may still be sending when a put has been given up, and the caller's memory holds
 * another block by then: so a backend sends copies, and none is made after the close. Thread-safe.
 */
public final class LentContent implements AutoCloseable {
    private final ByteBuffer content;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    /** Lends the remaining bytes, whose position does not move. */
    public LentContent(ByteBuffer content) {
        this.content = content.slice();
    }

    /** Length in bytes. */
    public int length() {
        return content.capacity();
    }

    /**
     * Copies from an offset on: as much as there is, or fits into the chunk, whose position moves behind it.
     *
     * @throws IllegalStateException after the close
     */
    public void copy(int offset, ByteBuffer chunk) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the put was given up");
            }
            chunk.put(content.slice(offset, Math.min(chunk.remaining(), length() - offset)));
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
