package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Calls at a rate, at their time whether or not those before have ended, each second of a new client, which has to
 * connect first. For one thread.
 */
final class HonestCalls<C extends AutoCloseable> {
    private final int perSecond;
    private final Supplier<C> clients;
    private final HonestCall<C> call;
    private final AtomicInteger numbers = new AtomicInteger(1);

    /** A call of somebody who must not notice an attack; it waits for its answer. A {@link RuntimeException} loses it. */
    @FunctionalInterface
    interface HonestCall<C> {
        /** @param number another one each time, 1 or more */
        void make(C client, int number) throws InterruptedException;
    }

    /**
     * Outcomes of the calls of some seconds.
     *
     * @param lost calls that failed, all retries included
     * @param firstFailure of them; empty if there was none
     */
    record CallWindow(int calls, int lost, double p99Millis, String firstFailure) {}

    /** @param clients makes a new client, which is closed after a second's calls */
    HonestCalls(int perSecond, Supplier<C> clients, HonestCall<C> call) {
        this.perSecond = perSecond;
        this.clients = clients;
        this.call = call;
    }

    /** Calls for so many seconds. */
    CallWindow call(int seconds) throws InterruptedException {
        Latencies latencies = new Latencies();
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            long start = System.nanoTime();
            for (int second = 0; second < seconds; second++) {
                int first = second * perSecond;
                ends.add(threads.submit(() -> {
                    callOfASecond(start, first, latencies, failures);
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("an honest caller could not go on: " + e.getMessage(), e);
        }
        return new CallWindow(
                seconds * perSecond,
                failures.size(),
                latencies.percentiles().p99Millis(),
                failures.isEmpty() ? "" : failures.getFirst());
    }

    @SuppressWarnings("try") // a client that is interrupted while it closes has failed, as any other
    private void callOfASecond(long start, int first, Latencies latencies, List<String> failures) throws Exception {
        sleepUntil(start, first);
        try (C client = clients.get();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = first; i < first + perSecond; i++) {
                sleepUntil(start, i);
                var _ = threads.submit(() -> {
                    long begun = System.nanoTime();
                    try {
                        call.make(client, numbers.getAndIncrement());
                    } catch (RuntimeException e) {
                        failures.add(String.valueOf(e.getMessage()));
                    }
                    latencies.addSince(begun);
                    return null;
                });
            }
        }
    }

    private void sleepUntil(long start, int number) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(start + number * TimeUnit.SECONDS.toNanos(1) / perSecond - System.nanoTime());
    }
}
