package dev.kvstore.dataplane.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A run of off-heap bytes with a reference count, which begins with one reference. It begins on a page and fills whole
 * pages, so that direct I/O needs no copy; bytes after its length are zero. A holder of a reference may read; only its
 * maker writes, before it shares the memory. When the last reference is given back, the bytes return to the
 * {@link MemoryPool}. Counting is thread-safe.
 */
public final class BlockMemory {
    /** Memory begins on a multiple of this and is padded to one, as direct I/O requires on any disk of today. */
    public static final int PAGE_BYTES = 4096;

    private final Span span;
    private final ByteBuffer pages;
    private final ByteBuffer view;
    private final Object holder;
    private final MemoryPool pool;
    private final AtomicInteger references = new AtomicInteger(1);

    BlockMemory(Span span, int length, Object holder, MemoryPool pool) {
        this.span = span;
        this.pages = span.memory();
        this.view = pages.slice(0, length);
        MemorySegment.ofBuffer(pages).asSlice(length).fill((byte) 0);
        this.holder = holder;
        this.pool = pool;
    }

    /**
     * The number of bytes, rounded up to whole pages.
     *
     * @throws ArithmeticException if that is more than 2 GiB
     */
    public static int padded(int length) {
        return Math.addExact(length, PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    /** Length in bytes. */
    public int length() {
        return view.capacity();
    }

    /** All bytes, as a view with a position of its own; not to be used after the reference is given back. */
    public ByteBuffer bytes() {
        return view.duplicate();
    }

    /** Bytes taken from the pool: the length, rounded up to whole pages. */
    public int takenBytes() {
        return pages.capacity();
    }

    /** All bytes with their padding, as a view with a position of its own. */
    public ByteBuffer pages() {
        return pages.duplicate();
    }

    /** {@code length} bytes from {@code offset} on, as a view. */
    public ByteBuffer slice(int offset, int length) {
        return view.slice(offset, length);
    }

    /** A tier keeps this memory from now on, so it no longer counts for the holder that allocated it. */
    public void keptByTier() {
        pool.keptByTier(holder, takenBytes());
    }

    /** The tier no longer keeps this memory. Must be called before the tier gives its reference back. */
    public void leftTier() {
        pool.leftTier(holder, takenBytes());
    }

    /** Takes one more reference. The caller must hold one. */
    public BlockMemory retain() {
        if (!tryRetain()) {
            throw new IllegalStateException("memory was given back already");
        }
        return this;
    }

    /** Takes a reference; false if the last one was given back already. */
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
            pool.returned(holder, span);
        } else if (left < 0) {
            throw new IllegalStateException("memory was given back more often than taken");
        }
    }
}
