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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Callers that make calls again and again until the load ends, each on a thread of its own, which is virtual unless said
 * otherwise. A closed load makes the next call as soon as the last one ended; a paced one once in an interval, or after a
 * pause. A call that was late is not made up for. For one thread.
 */
public final class CallLoad implements AutoCloseable {
    private static final double NANOS = 1e9;

    private final ExecutorService threads;
    private final List<Future<?>> ends = new ArrayList<>();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final LongAdder done = new LongAdder();

    /** A load whose callers are on virtual threads. */
    public CallLoad() {
        this(Executors.newVirtualThreadPerTaskExecutor());
    }

    private CallLoad(ExecutorService threads) {
        this.threads = threads;
    }

    /** A load whose callers are on platform threads: for calls that wait for a disk. */
    public static CallLoad onPlatformThreads() {
        return new CallLoad(
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory()));
    }

    /** A call. */
    @FunctionalInterface
    public interface LoadCall {
        /** @param number of calls of this caller before it */
        void make(int number) throws Exception;
    }

    /** A call that says whether it was the last one. */
    @FunctionalInterface
    public interface LastCall {
        /** @param number of calls of this caller before it */
        boolean makeAndSayIfLast(int number) throws Exception;
    }

    /** Callers that wait for nothing but the end of their own calls. */
    public static CallLoad closed(int callers, LoadCall call) {
        return new CallLoad().with(callers, call);
    }

    /**
     * Makes so many calls and waits for their end; after a call that fails no further ones begin. If this thread is
     * interrupted, so are the calls.
     *
     * @param callers that share the calls
     * @param perSecond of all callers together; 0 for the next call as soon as the last one ended
     * @param call takes a number from 0 on, of the calls of all callers
     * @throws IllegalStateException if a call failed
     */
    public static void calls(int callers, double perSecond, int count, LoadCall call) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        try (CallLoad load = new CallLoad()) {
            LoadCall shared = load.stopping(_ -> {
                int number = next.getAndIncrement();
                if (number < count) {
                    call.make(number);
                }
                return number >= count - 1;
            });
            long nanos = perSecond == 0 ? 0 : Math.round(NANOS * callers / perSecond);
            load.paced(callers, Duration.ofNanos(nanos), shared);
            try {
                load.ending.await();
                load.end();
            } catch (InterruptedException e) {
                load.threads.shutdownNow();
                throw e;
            }
        }
    }

    /** Adds callers that wait for nothing but the end of their own calls. */
    public CallLoad with(int callers, LoadCall call) {
        return paced(callers, Duration.ZERO, call);
    }

    /**
     * Adds callers that begin a call at most once in an interval.
     *
     * @param interval between the begins of two calls of one caller
     */
    public CallLoad paced(int callers, Duration interval, LoadCall call) {
        for (int i = 0; i < callers; i++) {
            ends.add(threads.submit(() -> {
                repeat(interval.toNanos(), call);
                return null;
            }));
        }
        return this;
    }

    /** Adds callers that wait so long after each of their calls. */
    public CallLoad pausing(int callers, Duration pause, LoadCall call) {
        return pausing(callers, () -> pause, call);
    }

    /** Adds callers that wait after each of their calls, each time another while. */
    public CallLoad pausing(int callers, Supplier<Duration> pauses, LoadCall call) {
        return with(callers, number -> {
            call.make(number);
            var _ = ending.await(pauses.get().toNanos(), TimeUnit.NANOSECONDS);
        });
    }

    /** Adds callers, each of whom stops the whole load by its last call, and by a call that fails. */
    public CallLoad until(int callers, LastCall call) {
        return with(callers, stopping(call));
    }

    private LoadCall stopping(LastCall call) {
        return number -> {
            boolean last = true;
            try {
                last = call.makeAndSayIfLast(number);
            } finally {
                if (last) {
                    stop();
                }
            }
        };
    }

    private void repeat(long interval, LoadCall call) throws Exception {
        long next = System.nanoTime();
        for (int number = 0; ending.getCount() > 0; number++) {
            call.make(number);
            done.increment();
            if (interval > 0) {
                next = Math.max(next + interval, System.nanoTime());
                var _ = ending.await(next - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        }
    }

    /** Begins no further calls, and returns at once. Thread-safe. */
    public void stop() {
        ending.countDown();
    }

    /** Waits until the load is stopped, but no longer than this; says whether it was. */
    public boolean isStoppedWithin(Duration time) throws InterruptedException {
        return ending.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Calls that have ended. */
    public long done() {
        return done.sum();
    }

    /**
     * Waits until the calls under way have ended; no further ones begin.
     *
     * @throws IllegalStateException if a call failed
     */
    public void end() throws InterruptedException {
        stop();
        for (Future<?> end : ends) {
            try {
                end.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the load could not go on: " + e.getCause(), e.getCause());
            }
        }
    }

    /**
     * Ends like {@link #end()}, and interrupts calls that take longer.
     *
     * @return whether there was none
     */
    public boolean end(Duration patience) throws InterruptedException {
        stop();
        threads.shutdown();
        if (!threads.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            threads.shutdownNow();
            return false;
        }
        end();
        return true;
    }

    /** Ends as {@link #end} does, and lets failures be. */
    @Override
    public void close() {
        stop();
        threads.close();
    }
}
