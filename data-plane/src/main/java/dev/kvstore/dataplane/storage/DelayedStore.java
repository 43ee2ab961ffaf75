package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.StorageMeters.StorageOperation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A store with added latency: every call waits before it is made, however many are made at a time. A virtual thread
 * that waits holds no platform thread, no memory of blocks and no connection. Thread-safe.
 */
public final class DelayedStore extends WrappedStore {
    /** Lets time pass. */
    @FunctionalInterface
    interface Sleeper {
        void last(Duration time) throws InterruptedException;
    }

    private final BlockStore store;
    private final AddedLatency latency;
    private final Sleeper pause;

    /** A store with added latency. Closing it closes the given store. */
    public DelayedStore(BlockStore store, AddedLatency latency) {
        this(store, latency, Thread::sleep);
    }

    DelayedStore(BlockStore store, AddedLatency latency, Sleeper pause) {
        this.store = store;
        this.latency = latency;
        this.pause = pause;
    }

    @Override
    BlockStore store() {
        return store;
    }

    /** A copy has no latency for its source, which may add its own. */
    @Override
    <T extends @Nullable Object, E extends Exception> T call(StorageOperation operation, StoreCall<T, E> call)
            throws StorageException, E {
        Duration time = switch (operation) {
            case GET, GET_RANGE, GET_IF_CHANGED, EXISTS, LIST -> latency.reads();
            case PUT_IF_ABSENT, PUT_IF_MATCH, DELETE_IF_MATCH, COPY_FROM -> latency.writes();
        };
        try {
            pause.last(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(Kind.UNAVAILABLE, "interrupted while added latency passed", e);
        }
        return call.on(store);
    }
}
