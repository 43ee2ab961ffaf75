package dev.kvstore.dataplane.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Netty's pooled memory, but the buffer for a {@link ZeroCopyMessage} message is the message. Thread-safe.
 */
public final class LendingAllocator extends PooledByteBufAllocator {
    /** The allocator of the process: a connection may take the memory that another one gives back. */
    public static final LendingAllocator SHARED = new LendingAllocator();

    /** An allocator of memory off the heap, as the native transport wants it. */
    private LendingAllocator() {
        super(true);
    }

    @Override
    public ByteBuf buffer(int initialCapacity, int maxCapacity) {
        ByteBuf lent = LentStream.buffer(this);
        return lent == null ? super.buffer(initialCapacity, maxCapacity) : lent;
    }
}
