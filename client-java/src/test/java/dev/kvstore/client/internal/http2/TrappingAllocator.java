package dev.kvstore.client.internal.http2;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * Direct memory of which nothing can be read once it is freed: whoever does meets an {@link IllegalStateException},
 * where the memory of a pool would be another's by then. It counts what is held, and fails as often as a test likes.
 * For sockets of the JDK, which check as well. Thread-safe.
 */
public final class TrappingAllocator extends AbstractByteBufAllocator {
    private final IdentityHashMap<ByteBuffer, Arena> held = new IdentityHashMap<>();
    private final AtomicLong allocations = new AtomicLong();
    private volatile LongPredicate failing = number -> false;

    public TrappingAllocator() {
        super(true);
    }

    /** Buffers that nobody has given back. */
    public int held() {
        synchronized (held) {
            return held.size();
        }
    }

    /** Allocations so far. */
    public long allocations() {
        return allocations.get();
    }

    /** From now on those allocations fail whose numbers, from 0, these are. */
    public void fail(LongPredicate numbers) {
        failing = numbers;
    }

    private ByteBuffer allocate(int bytes) {
        if (failing.test(allocations.getAndIncrement())) {
            throw new OutOfMemoryError("as the test wants it");
        }
        Arena arena = Arena.ofShared();
        ByteBuffer memory =
                arena.allocate(Math.max(1, bytes)).asByteBuffer().limit(bytes).slice();
        synchronized (held) {
            held.put(memory, arena);
        }
        return memory;
    }

    private void free(ByteBuffer memory) {
        Arena arena;
        synchronized (held) {
            arena = held.remove(memory);
        }
        if (arena == null) {
            throw new IllegalStateException("memory was freed twice");
        }
        arena.close();
    }

    private static final class Trap extends UnpooledDirectByteBuf {
        Trap(TrappingAllocator allocator, int bytes, int mostBytes) {
            super(allocator, bytes, mostBytes);
        }

        @Override
        protected ByteBuffer allocateDirect(int bytes) {
            return ((TrappingAllocator) alloc()).allocate(bytes);
        }

        @Override
        protected void freeDirect(ByteBuffer memory) {
            ((TrappingAllocator) alloc()).free(memory);
        }
    }

    @Override
    protected ByteBuf newDirectBuffer(int bytes, int mostBytes) {
        return new Trap(this, bytes, mostBytes);
    }

    @Override
    protected ByteBuf newHeapBuffer(int bytes, int mostBytes) {
        return UnpooledByteBufAllocator.DEFAULT.heapBuffer(bytes, mostBytes);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return true; // else Netty copies into buffers of its own
    }
}
