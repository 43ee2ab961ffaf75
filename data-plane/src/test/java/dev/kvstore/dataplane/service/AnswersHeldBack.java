package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.storage.BlockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Storage that looks blocks up at once, and whose answers come when the test lets them. Thread-safe. */
final class AnswersHeldBack {
    private final BlockStore storage;
    private final AtomicInteger heldBack = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    AnswersHeldBack(BlockStore storage) {
        this.storage = storage;
    }

    BlockStore store() {
        return (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(),
                new Class<?>[] {BlockStore.class},
                (_, method, arguments) -> call(method, arguments));
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

    private @Nullable Object call(Method method, @Nullable Object... arguments) throws Throwable {
        CountDownLatch closed = gate;
        Object answer;
        try {
            answer = method.invoke(storage, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (method.getName().equals("get")
                && closed.getCount() > 0
                && !String.valueOf(arguments[0]).contains("/presence/")) {
            heldBack.incrementAndGet();
            closed.await();
        }
        return answer;
    }
}
