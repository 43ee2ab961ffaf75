package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.storage.BlockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Storage that answers reads of blocks only as the test lets it, in the order they came. Thread-safe. */
final class PacedStore {
    private final BlockStore storage;
    private final Semaphore turns = new Semaphore(0, true);
    private final AtomicLong reads = new AtomicLong();

    PacedStore(BlockStore storage) {
        this.storage = storage;
    }

    BlockStore store() {
        return (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(),
                new Class<?>[] {BlockStore.class},
                (_, method, arguments) -> call(method, arguments));
    }

    /** Reads that wait for their turn. */
    int waiting() {
        return turns.getQueueLength();
    }

    /** Reads so far. */
    long reads() {
        return reads.get();
    }

    /** Answers that many reads, of those that wait or of the next. */
    void answer(int count) {
        turns.release(count);
    }

    private static boolean isBlock(String name) {
        return !name.contains("/presence/") && !name.endsWith("/partition.json");
    }

    private @Nullable Object call(Method method, @Nullable Object... arguments) throws Throwable {
        if (method.getName().equals("get") && isBlock(String.valueOf(arguments[0]))) {
            reads.incrementAndGet();
            turns.acquire();
        }
        try {
            return method.invoke(storage, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
