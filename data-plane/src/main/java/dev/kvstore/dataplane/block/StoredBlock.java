package dev.kvstore.dataplane.block;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.protocol.format.BlockHeader;
import java.nio.ByteBuffer;

/**
 * A whole block in memory, exactly as storage holds it: header, then buffer. Its receiver holds a reference, and gives
 * it back.
 */
public record StoredBlock(BlockHeader header, BlockMemory memory) {
    /** {@code length} bytes of the buffer from {@code offset} on, as a view. */
    public ByteBuffer buffer(int offset, int length) {
        return memory.slice(header.headerBytes() + offset, length);
    }

    /** The whole buffer, as a view. */
    public ByteBuffer buffer() {
        return buffer(0, header.bufferBytes());
    }

    /** Takes one more reference. The caller must hold one. */
    public StoredBlock retain() {
        memory.retain();
        return this;
    }

    /** Gives one reference back. */
    public void release() {
        memory.release();
    }
}
