package dev.kvstore.benchmark.kvcache.tier;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Memory off the heap that one thread moves pieces of entries through; begins on a page. For one thread. */
public final class Scratch {
    /** The bytes of a piece: large enough that a system call costs little beside it. */
    public static final int BYTES = 1 << 20;

    private final MemorySegment segment = Arena.ofAuto().allocate(BYTES, NoiseContent.PAGE_BYTES);
    private final ByteBuffer buffer = segment.asByteBuffer();

    MemorySegment segment() {
        return segment;
    }

    /** The first bytes, all of them still to be read or written. */
    ByteBuffer buffer(int bytes) {
        return buffer.clear().limit(bytes);
    }
}
