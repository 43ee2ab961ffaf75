package dev.kvstore.dataplane.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * Memory that was taken from the system at once, and begins where a huge page may. Pages that were never written to
 * take no room yet.
 */
final class MemoryChunk {
    // Netty, unlike the JDK, does not write to all of it; its leak detector is off, as it knows no holders of chunks.
    private static final UnpooledByteBufAllocator SYSTEM = new UnpooledByteBufAllocator(true, true);

    private final long number;
    private final ByteBuf taken;
    private final ByteBuffer memory;

    /**
     * Takes memory from the system.
     *
     * @param number a number that no other chunk has; the chunk with the lowest number is filled first
     * @param bytes whole huge pages
     */
    MemoryChunk(long number, int bytes) {
        this.number = number;
        this.taken = SYSTEM.directBuffer(Math.addExact(bytes, HugePages.BYTES));
        this.memory = taken.nioBuffer(0, bytes + HugePages.BYTES)
                .alignedSlice(HugePages.BYTES)
                .slice(0, bytes);
        HugePages.ask(memory);
    }

    long number() {
        return number;
    }

    ByteBuffer memory() {
        return memory;
    }

    int bytes() {
        return memory.capacity();
    }

    int pages() {
        return memory.capacity() / BlockMemory.PAGE_BYTES;
    }

    /** Bytes that all chunks of this process have from the system. */
    static long takenBytes() {
        return SYSTEM.metric().usedDirectMemory();
    }

    /** Gives the chunk's memory back to the system. */
    void release() {
        taken.release();
    }
}
