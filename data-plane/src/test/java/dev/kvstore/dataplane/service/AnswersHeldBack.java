package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Storage that looks blocks up at once, and whose answers come when the test lets them. Thread-safe. */
final class AnswersHeldBack {
    private final AtomicInteger heldBack = new AtomicInteger();
    private final HookedStore storage;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    AnswersHeldBack(BlockStore storage) {
        this.storage = new HookedStore(storage).after((operation, name) -> {
            CountDownLatch closed = gate;
            if (operation.equals("get") && closed.getCount() > 0 && isBlock(name)) {
                heldBack.incrementAndGet();
                closed.await();
            }
        });
    }

    private static boolean isBlock(String name) {
        return !name.contains("/presence/") && !name.endsWith("/partition.json");
    }

    BlockStore store() {
        return storage.store();
    }

    void holdBack() {
        gate = new CountDownLatch(1);
    }

    void letAnswer() {
        gate.countDown();
    }

    /** Answers that were held back so far. */
    int heldBack() {
        return heldBack.get();
    }
}
