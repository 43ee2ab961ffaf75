package dev.kvstore.client.internal;

import dev.kvstore.client.KvStoreException;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A virtual thread per task, and no more than so many of them: who comes too many is refused, not queued. Thread-safe. */
public final class BoundedThreads {
    private final int limit;
    private final Semaphore free;

    public BoundedThreads(int limit) {
        this.limit = limit;
        this.free = new Semaphore(limit);
    }

    /** The task's result. */
    public <T> CompletableFuture<T> run(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        start(
                () -> {
                    try {
                        result.complete(task.get());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                result::completeExceptionally);
        return result;
    }

    /** Starts a task, or tells why not. */
    void start(Runnable task, Consumer<KvStoreException> refused) {
        if (!free.tryAcquire()) {
            refused.accept(new KvStoreException(
                    Status.Code.RESOURCE_EXHAUSTED,
                    limit + " asynchronous operations are under way; wait for some, or raise maxAsyncCalls"));
            return;
        }
        Thread.startVirtualThread(() -> {
            try {
                task.run();
            } finally {
                free.release();
            }
        });
    }
}
