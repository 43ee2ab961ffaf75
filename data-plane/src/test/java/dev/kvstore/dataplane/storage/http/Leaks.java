package dev.kvstore.dataplane.storage.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Netty's own watch over memory that was dropped without being given back. One at a time. */
final class Leaks {
    // A buffer that nobody refers to is found by the second collection at the latest.
    private static final int COLLECTIONS = 3;

    private final Queue<String> found = new ConcurrentLinkedQueue<>();

    void watch(ResourceLeakDetector.Level level) {
        found.clear();
        ResourceLeakDetector.setLevel(level);
        ByteBufUtil.setLeakListener((type, records) -> found.add(type + records));
    }

    /** Fails if memory leaked since the watch began, and ends the watch. */
    void assertNone() {
        collect();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        ByteBufUtil.setLeakListener(null);
        assertThat(found).isEmpty();
    }

    /** The leaks that were found. */
    Queue<String> found() {
        collect();
        return found;
    }

    private static void collect() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            // The detector reports when it tracks the next buffer.
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
    }
}
