package dev.kvstore.dataplane.tier;

import dev.kvstore.dataplane.block.BlockKey;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts how often the bytes under a key may have changed in storage. A copy that was read before the last change must
 * not enter a tier. Keys share counters, so a few copies are turned away for a change of another key. Thread-safe.
 */
final class KeyChanges {
    /** 256 KiB. At 2,000 changes a second and loads of 50 ms, one load in 600 meets a change of another key. */
    private static final int COUNTERS = 1 << 16;

    private final AtomicIntegerArray counters = new AtomicIntegerArray(COUNTERS);

    /** How often the key, or one that shares its counter, has changed. */
    int of(BlockKey key) {
        return counters.get(index(key));
    }

    /** The bytes under a key have changed, or are gone. */
    void add(BlockKey key) {
        counters.incrementAndGet(index(key));
    }

    private static int index(BlockKey key) {
        int hash = key.hashCode();
        return (hash ^ hash >>> 16) & (COUNTERS - 1);
    }
}
