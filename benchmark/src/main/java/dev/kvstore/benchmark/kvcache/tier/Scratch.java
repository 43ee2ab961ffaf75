package dev.kvstore.benchmark.kvcache.tier;

import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Memory off the heap that one thread moves pieces of entries through; begins on a page. For one thread. */
public final class Scratch {
    /** The bytes of a piece: large enough that a system call costs little beside it. */
    public static final int BYTES = 1 << 20;

    private final MemorySegment segment = Arena.ofAuto().allocate(BYTES, NoiseContent.PAGE_BYTES);
    private final ByteBuffer buffer = segment.asByteBuffer();

    /** @throws InterruptedIOException if this thread was asked to stop: an entry of gigabytes has many pieces */
    MemorySegment segment() throws InterruptedIOException {
        requireUninterrupted();
        return segment;
    }

    static void requireUninterrupted() throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("the access was interrupted");
        }
    }

    /** The first bytes, all of them still to be read or written. */
    ByteBuffer buffer(int bytes) {
        return buffer.clear().limit(bytes);
    }
}
