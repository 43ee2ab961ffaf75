package dev.kvstore.client.internal.http2;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/**
 * Bytes of the application as a buffer of the transport, which sends them from where they are. The application may get
 * them back at any time; then the rest that is still to be sent becomes a copy. For the event loop.
 */
final class LentBytes extends UnpooledDirectByteBuf {
    /** @param bytes direct and writable, since Netty takes no others; nobody writes */
    LentBytes(ByteBufAllocator allocator, ByteBuffer bytes) {
        super(allocator, bytes, bytes.remaining() + 1); // a byte more, to be moved for
    }

    /**
     * The application's bytes are not looked at any more. Slices of this buffer then read the copy, too; a
     * {@link ByteBuffer} that was derived from it does not.
     */
    void giveBack() {
        if (refCnt() > 0 && capacity() < maxCapacity()) {
            capacity(maxCapacity()); // moves it: Netty does not own the memory
        }
    }
}
