package dev.kvstore.dataplane.warming;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.block.BlockKey;
import java.util.concurrent.atomic.LongAdder;

/** Blocks that were copied here and not used since: the latest {@value #MOST_BLOCKS}. Thread-safe. */
public final class Warmed {
    /** Most blocks; at some 100 bytes of heap each, 6.5 MB. */
    static final int MOST_BLOCKS = 1 << 16;

    private final Cache<BlockKey, Boolean> unused = Caffeine.newBuilder()
            .maximumSize(MOST_BLOCKS)
            .executor(Runnable::run)
            .build();
    private final LongAdder used = new LongAdder();

    void add(BlockKey key) {
        unused.put(key, Boolean.TRUE);
    }

    /** A block is used here for the first time, or for the first time after long. */
    public void used(BlockKey key) {
        if (unused.asMap().remove(key) != null) {
            used.increment();
        }
    }

    /** Blocks that were used after they were copied here. */
    public long used() {
        return used.sum();
    }
}
