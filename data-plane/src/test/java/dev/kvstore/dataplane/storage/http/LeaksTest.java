package dev.kvstore.dataplane.storage.http;

import static org.awaitility.Awaitility.await;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.Test;

/** Shows that the other tests would notice a leak. */
final class LeaksTest {
    @Test
    void droppedMemoryIsFound() {
        Leaks leaks = new Leaks();
        leaks.watch(ResourceLeakDetector.Level.PARANOID);
        try {
            drop();

            await().until(() -> !leaks.found().isEmpty());
        } finally {
            leaks.found().clear();
            leaks.assertNone();
        }
    }

    private static void drop() {
        PooledByteBufAllocator.DEFAULT.directBuffer(1).writeByte(1);
    }
}
