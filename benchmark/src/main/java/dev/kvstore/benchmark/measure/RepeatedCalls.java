package dev.kvstore.benchmark.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Calls that are made again and again until the end, each kind on a virtual thread of its own. For one thread. */
public final class RepeatedCalls implements AutoCloseable {
    private final long pauseMillis;
    private final List<Future<?>> ends = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch ending = new CountDownLatch(1);

    /** @param pause between the end of a call and the next call of its kind */
    public RepeatedCalls(Duration pause) {
        this.pauseMillis = pause.toMillis();
    }

    /**
     * Begins a kind of call.
     *
     * @param call takes the number of calls of its kind before it
     */
    public void repeat(IntConsumer call) {
        ends.add(threads.submit(() -> {
            int round = 0;
            do {
                call.accept(round++);
            } while (!ending.await(pauseMillis, TimeUnit.MILLISECONDS));
            return null;
        }));
    }

    /**
     * Waits until the calls under way are done; there are none after them.
     *
     * @throws IllegalStateException if a call failed
     */
    public void end() throws InterruptedException {
        ending.countDown();
        for (Future<?> end : ends) {
            try {
                end.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the load could not go on: " + e.getMessage(), e);
            }
        }
    }

    @Override
    public void close() {
        ending.countDown();
        threads.close();
    }
}
