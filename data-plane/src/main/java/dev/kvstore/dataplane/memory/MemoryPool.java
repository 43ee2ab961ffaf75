package dev.kvstore.dataplane.memory;

import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;

/**
 * All off-heap memory that blocks occupy in this process: what tiers keep, what is on its way in or out. Never more
 * than its limit; who asks for more waits for a bounded time. Thread-safe; for virtual threads.
 */
public final class MemoryPool implements Allocator {
    // 16 MiB chunks hold a dozen blocks of 1.2 MB with little left over. No thread caches: a virtual thread is short.
    private static final int PAGE_BYTES = 8192;
    private static final int CHUNK_ORDER = 11;

    // One for the process: what one pool gives back, another may take.
    private static final PooledByteBufAllocator ALLOCATOR = new PooledByteBufAllocator(
            true, 0, Runtime.getRuntime().availableProcessors(), PAGE_BYTES, CHUNK_ORDER, 0, 0, false);

    private final ByteBudget budget;
    private final Duration patience;

    /**
     * A pool of its own.
     *
     * @param limitBytes most bytes handed out at a time
     * @param patience how long an allocation may wait for others to give back
     */
    public MemoryPool(long limitBytes, Duration patience) {
        this.budget = new ByteBudget(limitBytes);
        this.patience = patience;
    }

    @Override
    public BlockMemory allocate(int length) throws MemoryExhaustedException {
        take(length);
        try {
            return new BlockMemory(ALLOCATOR.directBuffer(length, length), length, this);
        } catch (RuntimeException | OutOfMemoryError e) {
            returned(length);
            throw e;
        }
    }

    private void take(int length) throws MemoryExhaustedException {
        try {
            if (!budget.take(length, patience)) {
                throw new MemoryExhaustedException(length, budget.limit());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemoryExhaustedException(length, budget.limit());
        }
    }

    void returned(int length) {
        budget.giveBack(length);
    }

    /** Bytes handed out now. */
    public long usedBytes() {
        return budget.used();
    }

    /** Most bytes handed out at a time. */
    public long limitBytes() {
        return budget.limit();
    }
}
