package dev.kvstore.dataplane.memory;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A run of off-heap bytes with a reference count, born with one reference. Whoever holds a reference may read; the
 * maker alone writes, before it shares. Giving back the last one returns the bytes to the {@link MemoryPool}.
 * Counting is thread-safe.
 */
public final class BlockMemory {
    private final ByteBuf bytes;
    private final ByteBuffer view;
    private final MemoryPool pool;
    private final AtomicInteger references = new AtomicInteger(1);

    BlockMemory(ByteBuf bytes, int length, MemoryPool pool) {
        this.bytes = bytes;
        this.view = bytes.nioBuffer(0, length);
        this.pool = pool;
    }

    /** Length in bytes. */
    public int length() {
        return view.capacity();
    }

    /** All bytes, as a view with a position of its own; not to be used after the reference is given back. */
    public ByteBuffer bytes() {
        return view.duplicate();
    }

    /** {@code length} bytes from {@code offset} on, as a view. */
    public ByteBuffer slice(int offset, int length) {
        return view.slice(offset, length);
    }

    /** Takes one more reference; only for who holds one. */
    public BlockMemory retain() {
        if (!tryRetain()) {
            throw new IllegalStateException("memory was given back already");
        }
        return this;
    }

    /** Takes a reference unless the last one is gone. */
    public boolean tryRetain() {
        int count = references.get();
        while (count > 0) {
            int seen = references.compareAndExchange(count, count + 1);
            if (seen == count) {
                return true;
            }
            count = seen;
        }
        return false;
    }

    /** Gives one reference back. */
    public void release() {
        int left = references.decrementAndGet();
        if (left == 0) {
            bytes.release();
            pool.returned(length());
        } else if (left < 0) {
            throw new IllegalStateException("memory was given back more often than taken");
        }
    }
}
