package dev.kvstore.dataplane.wire;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/** Bytes of others as a buffer of the transport, which gives them back by releasing it. */
final class LentBytes extends UnpooledDirectByteBuf {
    private final Runnable free;

    /** @param bytes direct and writable, since Netty takes no others; nobody writes */
    LentBytes(ByteBufAllocator allocator, ByteBuffer bytes, Runnable free) {
        super(allocator, bytes, bytes.remaining());
        this.free = free;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        free.run();
    }
}
