package dev.kvstore.dataplane.memory;

import com.github.benmanes.caffeine.cache.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * All off-heap memory of blocks in this process: blocks in the memory tier, and blocks on their way in or out. It never
 * exceeds its limit; an allocation that finds too little free waits for a bounded time. Thread-safe; for virtual
 * threads.
 */
public final class MemoryPool implements Allocator {
    private static final System.Logger LOG = System.getLogger(MemoryPool.class.getName());

    private static final long GRANTING = Long.MIN_VALUE;

    /** Bytes in which a usual block finds room. */
    private static final long ROOM_BYTES = 2L * 1024 * 1024;

    /** The longest blob. */
    private static final long LONGEST_BYTES = 65L << 20;

    /** Two chunks of the longest blocks are kept spare, so that memory is not taken from the system for each block. */
    private static final long SPARE_BYTES = 132L << 20;

    /** The heap of the process, so that a pool may take memory that another one gives back. */
    private static final PageHeap HEAP = new PageHeap(SPARE_BYTES);

    private final SharedBudget budget;
    private final Duration patience;
    private final Ticker ticker;
    private final LongAdder refusals = new LongAdder();
    private final AtomicLong refusingSince = new AtomicLong(GRANTING);

    /**
     * A pool of its own.
     *
     * @param limitBytes most bytes handed out at a time
     * @param patience how long an allocation may wait for others to give back
     */
    public MemoryPool(long limitBytes, Duration patience) {
        this(limitBytes, patience, Ticker.systemTicker());
    }

    /** A pool of its own, with a ticker that measures for how long memory has been exhausted. */
    public MemoryPool(long limitBytes, Duration patience, Ticker ticker) {
        this.budget = new SharedBudget(limitBytes, least(limitBytes));
        HEAP.allow(limitBytes);
        this.patience = patience;
        this.ticker = ticker;
    }

    /**
     * Bytes that a holder may always have: the longest blob; in a pool with room for two, a second one that is loaded
     * ahead.
     */
    private static long least(long limitBytes) {
        return limitBytes < 2 * LONGEST_BYTES ? LONGEST_BYTES : 2 * LONGEST_BYTES;
    }

    @Override
    public BlockMemory allocate(int length) throws MemoryExhaustedException {
        return allocate(SharedBudget.NOBODY, length);
    }

    /** Memory that counts for a holder. Holders share the pool by the rules of {@link SharedBudget}. */
    @Override
    public Allocator of(Object holder) {
        return length -> allocate(holder, length);
    }

    private BlockMemory allocate(Object holder, int length) throws MemoryExhaustedException {
        int taken = BlockMemory.padded(length);
        take(holder, taken);
        BlockMemory memory = memory(holder, length, taken);
        if (memory == null) {
            refusals.increment();
            throw new MemoryExhaustedException(taken, budget.limit());
        }
        return memory;
    }

    /** Like {@link #allocate}, but returns null at once if that would wait. */
    public @Nullable BlockMemory tryAllocate(int length) {
        int taken = BlockMemory.padded(length);
        return budget.tryTake(SharedBudget.NOBODY, taken) ? memory(SharedBudget.NOBODY, length, taken) : null;
    }

    /** Memory for bytes that were taken from the budget. Null if the system has none; the bytes are given back then. */
    private @Nullable BlockMemory memory(Object holder, int length, int taken) {
        Span span = null;
        BlockMemory memory = null;
        try {
            span = HEAP.take(taken / BlockMemory.PAGE_BYTES);
            memory = new BlockMemory(span, length, holder, this);
        } catch (OutOfMemoryError e) {
            LOG.log(
                    Level.WARNING,
                    "the system has no memory for blocks, though the settings allow it: {0}",
                    String.valueOf(e.getMessage()));
        } finally {
            if (memory == null) {
                if (span != null) {
                    HEAP.giveBack(span);
                }
                budget.giveBack(holder, taken);
            }
        }
        return memory;
    }

    private void take(Object holder, int bytes) throws MemoryExhaustedException {
        try {
            if (budget.take(holder, bytes, patience)) {
                refusingSince.set(GRANTING);
            } else {
                refusals.increment();
                if (bytes <= budget.limit()) {
                    refusingSince.compareAndSet(GRANTING, ticker.read());
                }
                throw new MemoryExhaustedException(bytes, budget.limit());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemoryExhaustedException(bytes, budget.limit());
        }
    }

    /** Memory that a tier keeps counts for no holder here; the tier counts its owners itself. */
    void keptByTier(Object holder, int bytes) {
        budget.disown(holder, bytes);
    }

    void leftTier(Object holder, int bytes) {
        budget.disown(holder, -bytes);
    }

    void returned(Object holder, Span span) {
        int bytes = span.pages() * BlockMemory.PAGE_BYTES;
        HEAP.giveBack(span);
        budget.giveBack(holder, bytes);
    }

    /** Number of allocations that failed after waiting. */
    public long refusals() {
        return refusals.sum();
    }

    /** How long every allocation has failed; zero if the last one did not, or if there is room now. */
    public Duration refusing() {
        long since = refusingSince.get();
        return since == GRANTING || budget.used() < budget.limit() - ROOM_BYTES
                ? Duration.ZERO
                : Duration.ofNanos(ticker.read() - since);
    }

    /** Bytes handed out now. */
    public long usedBytes() {
        return budget.used();
    }

    /**
     * Memory that all pools of this process have from the system, in bytes: at most their limits together, and 132 MiB
     * spare.
     */
    public static long heldBytes() {
        return HEAP.memoryBytes();
    }

    /** Bytes on their way in or out, of the holder that has the most. */
    public long mostOfOneHolder() {
        return budget.mostOfOneHolder();
    }

    /** Most bytes handed out at a time. */
    public long limitBytes() {
        return budget.limit();
    }
}
