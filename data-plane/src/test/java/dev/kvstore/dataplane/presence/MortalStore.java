package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlobChange;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One process's way to storage: it ends in the middle of a call, before or after that took effect. */
public final class MortalStore {
    private final BlockStore storage;
    private final RandomGenerator random;
    private long callsLeft = Long.MAX_VALUE;

    public MortalStore(BlockStore storage, RandomGenerator random) {
        this.storage = storage;
        this.random = random;
    }

    /** The process dies in one of its next calls. */
    void dieSoon() {
        dieAfter(random.nextInt(6));
    }

    /** The process dies in the call after so many. */
    public void dieAfter(int calls) {
        callsLeft = calls;
    }

    public boolean isDead() {
        return callsLeft < 0;
    }

    public BlockStore store() {
        return (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(),
                new Class<?>[] {BlockStore.class},
                (_, method, arguments) -> call(method, arguments));
    }

    private @Nullable Object call(Method method, @Nullable Object... arguments) throws Throwable {
        boolean dying = callsLeft-- <= 0;
        boolean takesEffect = !dying || (callsLeft == -1 && random.nextBoolean());
        Object result = takesEffect ? invoke(method, arguments) : null;
        if (dying) {
            Object got = result instanceof BlobChange.Changed changed ? changed.got() : result;
            if (got instanceof Blob blob) {
                blob.memory().release();
            }
            throw new StorageException(Kind.UNAVAILABLE, "the process is dead", null);
        }
        return result;
    }

    private @Nullable Object invoke(Method method, @Nullable Object... arguments) throws Throwable {
        try {
            return method.invoke(storage, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
