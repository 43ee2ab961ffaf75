package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Calls at a rate, at their time whether or not those before have ended, each second of a new caller, which has to
 * connect first. For one thread.
 */
final class HonestCalls {
    private final int perSecond;
    private final Supplier<? extends HonestCaller> callers;
    private final AtomicInteger numbers = new AtomicInteger(1);

    /** Somebody who must not notice an attack. Thread-safe. */
    interface HonestCaller extends AutoCloseable {
        /**
         * One call, which waits for its answer. A {@link RuntimeException} loses it.
         *
         * @param number another one each time, 1 or more
         */
        void call(int number) throws InterruptedException;

        @Override
        void close();
    }

    /**
     * Outcomes of the calls of some seconds.
     *
     * @param lost calls that failed, all retries included
     * @param firstFailure of them; empty if there was none
     */
    record CallWindow(int calls, int lost, double p99Millis, String firstFailure) {}

    /** @param callers makes a new caller, which is closed after a second's calls */
    HonestCalls(int perSecond, Supplier<? extends HonestCaller> callers) {
        this.perSecond = perSecond;
        this.callers = callers;
    }

    /** Calls for so many seconds. */
    CallWindow call(int seconds) throws InterruptedException {
        Latencies latencies = new Latencies();
        List<String> failures = new ArrayList<>();
        int calls = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            long start = System.nanoTime();
            for (int second = 0; second < seconds; second++) {
                int first = second * perSecond;
                ends.add(threads.submit(() -> {
                    callOfASecond(start, first, latencies, failures);
                    return null;
                }));
                calls += perSecond;
            }
            for (Future<?> end : ends) {
                try {
                    end.get();
                } catch (ExecutionException e) {
                    throw new IllegalStateException("an honest caller could not go on: " + e.getMessage(), e);
                }
            }
        }
        return new CallWindow(
                calls,
                failures.size(),
                latencies.percentiles().p99Millis(),
                failures.isEmpty() ? "" : failures.getFirst());
    }

    private void callOfASecond(long start, int first, Latencies latencies, List<String> failures)
            throws InterruptedException {
        sleepUntil(start, first);
        try (HonestCaller caller = callers.get();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = first; i < first + perSecond; i++) {
                sleepUntil(start, i);
                var _ = threads.submit(() -> one(caller, latencies, failures));
            }
        }
    }

    private void sleepUntil(long start, int call) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(start + call * TimeUnit.SECONDS.toNanos(1) / perSecond - System.nanoTime());
    }

    private void one(HonestCaller caller, Latencies latencies, List<String> failures) {
        long begun = System.nanoTime();
        try {
            caller.call(numbers.getAndIncrement());
        } catch (RuntimeException e) {
            synchronized (failures) {
                failures.add(String.valueOf(e.getMessage()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        latencies.addSince(begun);
    }
}
