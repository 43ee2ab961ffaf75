package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads that wait for a file system. A virtual thread that did so itself would keep its carrier, and a few
 * on a disk that hangs would stop every call of the process; so the caller waits here, for a bounded time. Callers
 * beyond the number of threads wait their turn, first come first served. Threads are daemons and end when idle.
 * Thread-safe.
 */
public final class DiskThreads {
    private static final long IDLE_SECONDS = 30;

    /** The work of a thread. */
    @FunctionalInterface
    public interface DiskWork<T extends @Nullable Object> {
        T run() throws StorageException;
    }

    private final Semaphore free;
    private final ThreadPoolExecutor threads;
    private final Duration patience;

    /**
     * Threads of which none runs yet.
     *
     * @param most most threads, 1 or more
     * @param patience how long a caller waits for a thread, and then for its work
     */
    public DiskThreads(int most, Duration patience) {
        this.free = new Semaphore(most, true);
        this.patience = patience;
        // There are no more threads than permits, and those that have just given theirs back. The thread that became
        // idle last goes on first: its stack is in the processor's cache, and others end.
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("disk-", 0).factory());
    }

    /**
     * Runs work on a thread, and returns its result.
     *
     * @param subject of the work, for messages
     * @param blockMemory memory the work reads or writes, or null: kept until the work ends, even when its caller has
     *     given up
     * @throws StorageException of the work, or of kind {@code UNAVAILABLE} if it takes too long; it may still be done
     */
    public <T extends @Nullable Object> T run(String subject, @Nullable BlockMemory blockMemory, DiskWork<T> work)
            throws StorageException {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            if (!free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw silent(subject, null);
            }
            start(blockMemory, work, result);
            return result.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw silent(subject, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(Kind.UNAVAILABLE, subject + ": interrupted while it was waited for", e);
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private <T extends @Nullable Object> void start(
            @Nullable BlockMemory blockMemory, DiskWork<T> work, CompletableFuture<T> result) {
        if (blockMemory != null) {
            blockMemory.retain();
        }
        boolean started = false;
        try {
            threads.execute(() -> {
                // The permit is given back first: the result's receiver finds a thread free, and its memory its own.
                Runnable outcome = outcome(work, result);
                end(blockMemory);
                outcome.run();
            });
            started = true;
        } finally {
            if (!started) {
                end(blockMemory);
            }
        }
    }

    private static <T extends @Nullable Object> Runnable outcome(DiskWork<T> work, CompletableFuture<T> result) {
        try {
            T value = work.run();
            return () -> result.complete(value);
        } catch (Throwable e) {
            // Every exception is thrown again where the result is waited for.
            return () -> result.completeExceptionally(e);
        }
    }

    private void end(@Nullable BlockMemory blockMemory) {
        if (blockMemory != null) {
            blockMemory.release();
        }
        free.release();
    }

    private StorageException silent(String subject, @Nullable TimeoutException cause) {
        return new StorageException(
                Kind.UNAVAILABLE,
                subject + ": the file system does not answer within " + patience.toMillis() + " ms",
                cause);
    }

    private static StorageException failure(ExecutionException e) {
        return switch (e.getCause()) {
            case StorageException cause -> cause;
            case RuntimeException cause -> throw cause;
            case Error cause -> throw cause;
            case null, default -> throw new IllegalStateException(e);
        };
    }
}
