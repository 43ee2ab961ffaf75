package dev.kvstore.client.internal.http2;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/**
 * Bytes of the application as a buffer of the transport, which sends them from where they are. The application may get
 * the bytes back at any time; then the unsent rest becomes a copy. Only the event loop uses it.
 */
final class LentBytes extends UnpooledDirectByteBuf {
    /** @param bytes a direct and writable buffer, since Netty takes no others; it is never written to */
    LentBytes(ByteBufAllocator allocator, ByteBuffer bytes) {
        super(allocator, bytes, bytes.remaining() + 1); // one byte more, so that a change of the capacity copies
    }

    /**
     * Copies the rest, so that the application's bytes are not read any more. Slices of this buffer then read the copy,
     * too; a {@link ByteBuffer} that was derived from it does not.
     */
    void giveBack() {
        if (refCnt() > 0 && capacity() < maxCapacity()) {
            capacity(maxCapacity()); // this copies the bytes: Netty does not own the memory
        }
    }
}
