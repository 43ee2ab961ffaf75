package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.storage.BlockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;

/** A way to storage on which somebody else does something between the first call and the second. */
final class OvertakenStore {
    private final BlockStore storage;
    private final Callable<?> other;
    private int calls;

    OvertakenStore(BlockStore storage, Callable<?> other) {
        this.storage = storage;
        this.other = other;
    }

    BlockStore store() {
        return (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(), new Class<?>[] {BlockStore.class}, (_, method, arguments) -> {
                    if (++calls == 2) {
                        other.call();
                    }
                    try {
                        return method.invoke(storage, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
