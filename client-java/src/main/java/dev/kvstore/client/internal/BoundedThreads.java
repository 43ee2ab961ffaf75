package dev.kvstore.client.internal;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs each task on a thread of its own, from Java 21 on a virtual thread, up to a limit. Further tasks are refused,
 * not queued. Thread-safe.
 */
public final class BoundedThreads implements AutoCloseable {
    private final int limit;
    private final Semaphore free;
    private final Set<Runnable> stops = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public BoundedThreads(int limit) {
        this.limit = limit;
        this.free = new Semaphore(limit);
    }

    /** Runs a task whose result holds no resources, like {@link #run(Supplier, Consumer)}. */
    public <T> CompletableFuture<T> run(Supplier<T> task) {
        return run(task, nobodys -> {});
    }

    /**
     * Runs a task, and returns its future result. Ending the future early interrupts the task; the future completes
     * when the task has returned.
     *
     * @param discard gives back the resources of a result that came after the future was ended early
     */
    public <T> CompletableFuture<T> run(Supplier<T> task, Consumer<T> discard) {
        Interruption interruption = new Interruption();
        OperationFuture<T> future = new OperationFuture<>(interruption::interrupt);
        start(
                () -> run(task, discard, interruption, future),
                interruption::interrupt,
                refusal -> future.end(null, refusal));
        return future;
    }

    private static <T> Runnable run(
            Supplier<T> task, Consumer<T> discard, Interruption interruption, OperationFuture<T> future) {
        try {
            T result = interruption.during(task);
            return () -> {
                if (!future.end(result, null)) {
                    discard.accept(result);
                }
            };
        } catch (Throwable e) {
            return () -> future.end(null, e);
        }
    }

    /**
     * Starts a task, or reports why it was refused.
     *
     * @param task returns the code that informs the application; that code runs when the task no longer counts
     * @param stop ends the task soon; called when the client is closed, from any thread
     */
    public void start(Supplier<Runnable> task, Runnable stop, Consumer<KvStoreException> refused) {
        if (!free.tryAcquire()) {
            refused.accept(new KvStoreException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    limit + " asynchronous operations are under way; wait for some, or raise maxAsyncCalls"));
            return;
        }
        stops.add(stop);
        try {
            NewThread.start("kvstore-async", () -> counted(task, stop).run());
        } catch (KvStoreException e) {
            leave(stop);
            refused.accept(e);
            return;
        }
        if (closed) {
            stop.run();
        }
    }

    private Runnable counted(Supplier<Runnable> task, Runnable stop) {
        try {
            return task.get();
        } finally {
            leave(stop);
        }
    }

    private void leave(Runnable stop) {
        stops.remove(stop);
        free.release();
    }

    /** Stops all tasks, and does not wait for them. */
    @Override
    public void close() {
        closed = true;
        stops.forEach(Runnable::run);
    }
}
