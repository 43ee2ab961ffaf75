package dev.kvstore.benchmark.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Virtual threads that do the same work. Stateless. */
final class Workers {
    private static final double NANOS = 1e9;

    private Workers() {}

    /** The work on one item. */
    @FunctionalInterface
    interface ItemWork<T> {
        void with(T item) throws InterruptedException;
    }

    /**
     * Does the work with each item once, by so many threads, and returns when all is done.
     *
     * @throws IllegalStateException if one failed, with its cause
     */
    static <T> void each(int threads, List<T> items, ItemWork<T> work) throws InterruptedException {
        Queue<T> left = new ConcurrentLinkedQueue<>(items);
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < threads; i++) {
                ends.add(executor.submit(() -> {
                    for (T item = left.poll(); item != null; item = left.poll()) {
                        work.with(item);
                    }
                    return null;
                }));
            }
        }
        for (Future<?> end : ends) {
            try {
                end.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException told ? told : new IllegalStateException(e.getCause());
            }
        }
    }

    static double secondsSince(long startNanos) {
        return (System.nanoTime() - startNanos) / NANOS;
    }

    static double millisSince(long startNanos) {
        return (System.nanoTime() - startNanos) / NANOS * 1_000;
    }
}
