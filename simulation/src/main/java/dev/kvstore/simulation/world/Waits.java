package dev.kvstore.simulation.world;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits with a time limit, in the world's time. Each is a wait without a limit, and an alarm that interrupts the wait.
 */
public final class Waits {
    private Waits() {}

    /** A wait without a time limit. */
    @FunctionalInterface
    private interface Endless {
        void run() throws InterruptedException, ExecutionException;
    }

    /** Waits; returns false if the time was over first. */
    private static boolean within(long nanos, Endless wait) throws InterruptedException, ExecutionException {
        World world = World.current();
        Thread waiting = Thread.currentThread();
        Alarm alarm = world.host().alarm(nanos, waiting::interrupt);
        boolean clear = false;
        try {
            wait.run();
            clear = alarm.rang();
            return true;
        } catch (InterruptedException e) {
            if (alarm.rang()) {
                return false;
            }
            throw e;
        } finally {
            alarm.cancel();
            if (clear) {
                var _ = Thread.interrupted();
            }
        }
    }

    private static boolean await(long nanos, Endless wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        try {
            return within(nanos, wait);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @InPlaceOf(Thread.class)
    public static void sleep(long millis) throws InterruptedException {
        sleepNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @InPlaceOf(Thread.class)
    public static void sleep(long millis, int nanos) throws InterruptedException {
        sleepNanos(TimeUnit.MILLISECONDS.toNanos(millis) + nanos);
    }

    @InPlaceOf(Thread.class)
    public static void sleep(Duration time) throws InterruptedException {
        sleepNanos(time.toNanos());
    }

    @InPlaceOf(TimeUnit.class)
    public static void sleep(TimeUnit unit, long time) throws InterruptedException {
        sleepNanos(unit.toNanos(time));
    }

    private static void sleepNanos(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread waiting = Thread.currentThread();
        Alarm alarm = World.current().host().alarm(nanos, () -> LockSupport.unpark(waiting));
        while (!alarm.rang()) {
            LockSupport.park();
            if (Thread.interrupted() && alarm.cancel()) {
                throw new InterruptedException();
            }
        }
    }

    @InPlaceOf(LockSupport.class)
    public static void parkNanos(long nanos) {
        parkNanos(Thread.currentThread(), nanos);
    }

    @InPlaceOf(LockSupport.class)
    public static void parkNanos(Object blocker, long nanos) {
        if (nanos <= 0) {
            return;
        }
        World world = World.current();
        Thread waiting = Thread.currentThread();
        Alarm alarm = world.host().alarm(nanos, () -> LockSupport.unpark(waiting));
        LockSupport.park(blocker);
        alarm.cancel();
    }

    @InPlaceOf(Semaphore.class)
    public static boolean tryAcquire(Semaphore semaphore, long time, TimeUnit unit) throws InterruptedException {
        return tryAcquire(semaphore, 1, time, unit);
    }

    @InPlaceOf(Semaphore.class)
    public static boolean tryAcquire(Semaphore semaphore, int permits, long time, TimeUnit unit)
            throws InterruptedException {
        if (time <= 0) {
            return semaphore.tryAcquire(permits, 0, unit);
        }
        return await(unit.toNanos(time), () -> semaphore.acquire(permits));
    }

    @InPlaceOf(Lock.class)
    public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
        return lock.tryLock() || (time > 0 && await(unit.toNanos(time), lock::lockInterruptibly));
    }

    @InPlaceOf(Condition.class)
    public static boolean await(Condition condition, long time, TimeUnit unit) throws InterruptedException {
        return awaitNanos(condition, unit.toNanos(time)) > 0;
    }

    @InPlaceOf(Condition.class)
    public static long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        World world = World.current();
        long end = world.ownNanos() + nanos;
        boolean _ = await(Math.max(0, nanos), condition::await);
        return end - world.ownNanos();
    }

    @InPlaceOf(CountDownLatch.class)
    public static boolean await(CountDownLatch latch, long time, TimeUnit unit) throws InterruptedException {
        return latch.getCount() == 0 || await(unit.toNanos(time), latch::await);
    }

    @InPlaceOf(Thread.class)
    public static void join(Thread thread, long millis) throws InterruptedException {
        if (millis == 0) {
            thread.join();
        } else {
            boolean _ = await(TimeUnit.MILLISECONDS.toNanos(millis), thread::join);
        }
    }

    @InPlaceOf(Thread.class)
    public static boolean join(Thread thread, Duration time) throws InterruptedException {
        return await(time.toNanos(), thread::join);
    }

    @InPlaceOf(Future.class)
    @SuppressWarnings("unchecked")
    public static <T> T get(Future<T> future, long time, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (future.isDone()) {
            return future.get();
        }
        Object[] got = new Object[1];
        if (!within(unit.toNanos(time), () -> got[0] = future.get())) {
            throw new TimeoutException();
        }
        return (T) got[0];
    }

    @InPlaceOf(BlockingQueue.class)
    @SuppressWarnings("unchecked")
    public static <T> @Nullable T poll(BlockingQueue<T> queue, long time, TimeUnit unit) throws InterruptedException {
        T first = queue.poll();
        if (first != null || time <= 0) {
            return first;
        }
        Object[] got = new Object[1];
        boolean _ = await(unit.toNanos(time), () -> got[0] = queue.take());
        return (T) got[0];
    }

    @InPlaceOf(BlockingQueue.class)
    public static <T> boolean offer(BlockingQueue<T> queue, T last, long time, TimeUnit unit)
            throws InterruptedException {
        return queue.offer(last) || (time > 0 && await(unit.toNanos(time), () -> queue.put(last)));
    }

    @InPlaceOf(ExecutorService.class)
    public static boolean awaitTermination(ExecutorService executor, long time, TimeUnit unit)
            throws InterruptedException {
        long end = World.current().ownNanos() + unit.toNanos(time);
        while (!executor.isTerminated()) {
            if (World.current().ownNanos() >= end) {
                return false;
            }
            sleepNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return true;
    }

    @InPlaceOf(CompletableFuture.class)
    public static <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, long time, TimeUnit unit) {
        return ending(future, unit.toNanos(time), () -> future.completeExceptionally(new TimeoutException()));
    }

    @InPlaceOf(CompletableFuture.class)
    public static <T> CompletableFuture<T> completeOnTimeout(
            CompletableFuture<T> future, T value, long time, TimeUnit unit) {
        return ending(future, unit.toNanos(time), () -> future.complete(value));
    }

    private static <T> CompletableFuture<T> ending(CompletableFuture<T> future, long nanos, Runnable end) {
        World world = World.current();
        SimulatedHost host = world.host();
        Alarm alarm = host.alarm(nanos, () -> host.execute(end));
        var _ = future.whenComplete((_, _) -> alarm.cancel());
        return future;
    }

    @InPlaceOf(CompletableFuture.class)
    public static Executor delayedExecutor(long time, TimeUnit unit, Executor executor) {
        World world = World.current();
        SimulatedHost host = world.host();
        return task -> {
            var _ = host.alarm(unit.toNanos(time), () -> host.execute(() -> executor.execute(task)));
        };
    }

    @InPlaceOf(CompletableFuture.class)
    public static Executor delayedExecutor(long time, TimeUnit unit) {
        return delayedExecutor(time, unit, World.current().host());
    }
}
