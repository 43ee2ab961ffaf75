package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts how often the bytes under a key may have changed in storage. A copy that was read before the last change, or
 * during it, must not enter a tier. Keys share counters, so a few copies are turned away for a change of another key.
 * Thread-safe.
 */
final class KeyChanges {
    /** Stands for a moment in which a change was under way. */
    private static final long CHANGING = -1;

    /**
     * Counters, twice 256 KiB: at 2,000 changes a second and loads of 50 ms, one load in 600 meets a foreign change.
     */
    private static final int COUNTERS = 1 << 16;

    private final AtomicIntegerArray begun = new AtomicIntegerArray(COUNTERS);
    private final AtomicIntegerArray ended = new AtomicIntegerArray(COUNTERS);

    /** The changes so far, to be taken before a copy is read. */
    long of(BlockKey key) {
        int index = index(key);
        int before = ended.get(index);
        return begun.get(index) == before ? Integer.toUnsignedLong(before) : CHANGING;
    }

    /** Whether the key has not changed since {@link #of}. */
    boolean isUnchanged(BlockKey key, long since) {
        return since != CHANGING && begun.get(index(key)) == (int) since;
    }

    /**
     * A change begins: from now on no earlier copy enters a tier.
     *
     * @return the changes with this one, if it is the first since {@code since}; else a moment that makes no copy
     *     current
     */
    long begin(BlockKey key, long since) {
        int before = begun.getAndIncrement(index(key));
        return since != CHANGING && before == (int) since ? Integer.toUnsignedLong(before + 1) : CHANGING;
    }

    /** The tiers have no earlier copy any more. */
    void end(BlockKey key) {
        ended.incrementAndGet(index(key));
    }

    private static int index(BlockKey key) {
        int hash = key.hashCode();
        return (hash ^ hash >>> 16) & (COUNTERS - 1);
    }
}
