package dev.kvstore.dataplane.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Netty's pooled memory, but the buffer for a {@link ZeroCopyMessage} message is the message. Thread-safe.
 */
public final class LendingAllocator extends PooledByteBufAllocator {
    /** One for the process: what one connection gives back, another may take. */
    public static final LendingAllocator SHARED = new LendingAllocator();

    /** Off the heap, as the native transport wants it. */
    private LendingAllocator() {
        super(true);
    }

    @Override
    public ByteBuf buffer(int initialCapacity, int maxCapacity) {
        ByteBuf lent = LentStream.buffer(this);
        return lent == null ? super.buffer(initialCapacity, maxCapacity) : lent;
    }
}
