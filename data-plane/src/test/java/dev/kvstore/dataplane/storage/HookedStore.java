package dev.kvstore.dataplane.storage;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Storage of which a test says what happens before and after each call. Thread-safe. */
public final class HookedStore {
    /** Does what a test wants; what it throws, the caller gets. */
    @FunctionalInterface
    public interface Hook {
        Hook NOTHING = (_, _) -> {};

        /** @param name of the blob, or the prefix of a listing */
        void call(String operation, String name) throws Throwable;
    }

    private final BlockStore storage;
    private volatile Hook before = Hook.NOTHING;
    private volatile Hook after = Hook.NOTHING;
    private volatile Predicate<String> askedTwice = _ -> false;

    public HookedStore(BlockStore storage) {
        this.storage = storage;
    }

    public HookedStore before(Hook hook) {
        before = hook;
        return this;
    }

    /** When the call has taken effect, and its caller does not know yet. */
    public HookedStore after(Hook hook) {
        after = hook;
        return this;
    }

    /** The answer to each put of these blobs is lost, and its client asks again. */
    public HookedStore asksTwice(Predicate<String> blobs) {
        askedTwice = blobs;
        return this;
    }

    public BlockStore store() {
        return (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(),
                new Class<?>[] {BlockStore.class},
                (_, method, arguments) -> call(method, arguments));
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        String name = arguments == null ? "" : String.valueOf(arguments[0]);
        before.call(method.getName(), name);
        Object result;
        try {
            result = method.invoke(storage, arguments);
            if (method.getName().startsWith("putIf") && askedTwice.test(name)) {
                result = new PutResult.ConditionFailed(true);
            }
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        try {
            after.call(method.getName(), name);
        } catch (Throwable e) {
            Object got = result instanceof BlobChange.Changed changed ? changed.got() : result;
            if (got instanceof Blob blob) {
                blob.memory().release();
            }
            throw e;
        }
        return result;
    }
}
