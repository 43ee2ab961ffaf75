package dev.kvstore.simulation.world;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/** Threads and pools of threads: all are virtual threads of the host that starts them. */
public final class HostThreads {
    private static final ForkJoinPool COMMON = new HostPool();

    private HostThreads() {}

    @InPlaceOf(Thread.class)
    public static Thread startVirtualThread(Runnable task) {
        return World.current().host().start(task);
    }

    @InPlaceOf(Thread.Builder.class)
    public static Thread start(Thread.Builder builder, Runnable task) {
        return World.current().host().start(task);
    }

    @InPlaceOf(Thread.Builder.class)
    public static Thread unstarted(Thread.Builder builder, Runnable task) {
        return World.current().host().unstarted(task);
    }

    @InPlaceOf(Thread.Builder.class)
    public static ThreadFactory factory(Thread.Builder builder) {
        return task -> World.current().host().unstarted(task);
    }

    @InPlaceOf(Executors.class)
    public static ThreadFactory defaultThreadFactory() {
        return task -> World.current().host().unstarted(task);
    }

    @InPlaceOf(Executors.class)
    public static ExecutorService newThreadPerTaskExecutor(ThreadFactory factory) {
        return new HostExecutor();
    }

    @InPlaceOf(Executors.class)
    public static ExecutorService newVirtualThreadPerTaskExecutor() {
        return new HostExecutor();
    }

    @InPlaceOf(Executors.class)
    public static ExecutorService newCachedThreadPool() {
        return new HostExecutor();
    }

    @InPlaceOf(Executors.class)
    public static ExecutorService newCachedThreadPool(ThreadFactory factory) {
        return new HostExecutor();
    }

    @InPlaceOf(Executors.class)
    public static ExecutorService newFixedThreadPool(int threads) {
        return threads == 1 ? new OrderedExecutor() : new HostExecutor();
    }

    @InPlaceOf(Executors.class)
    public static ExecutorService newFixedThreadPool(int threads, ThreadFactory factory) {
        return newFixedThreadPool(threads);
    }

    @InPlaceOf(Executors.class)
    public static ExecutorService newSingleThreadExecutor() {
        return new OrderedExecutor();
    }

    @InPlaceOf(Executors.class)
    public static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
        return new OrderedExecutor();
    }

    @InPlaceOf(Executors.class)
    public static ScheduledExecutorService newSingleThreadScheduledExecutor() {
        return new HostSchedule();
    }

    @InPlaceOf(Executors.class)
    public static ScheduledExecutorService newSingleThreadScheduledExecutor(ThreadFactory factory) {
        return new HostSchedule();
    }

    @InPlaceOf(Executors.class)
    public static ScheduledExecutorService newScheduledThreadPool(int threads) {
        return new HostSchedule();
    }

    @InPlaceOf(Executors.class)
    public static ScheduledExecutorService newScheduledThreadPool(int threads, ThreadFactory factory) {
        return new HostSchedule();
    }

    @InPlaceOf(CompletableFuture.class)
    public static <T> CompletableFuture<T> supplyAsync(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, (Executor) World.current().host());
    }

    @InPlaceOf(CompletableFuture.class)
    public static CompletableFuture<Void> runAsync(Runnable work) {
        return CompletableFuture.runAsync(work, World.current().host());
    }

    @InPlaceOf(ForkJoinPool.class)
    public static ForkJoinPool commonPool() {
        return COMMON;
    }

    /** Starts a thread of the host for each task. */
    private static final class HostPool extends ForkJoinPool {
        HostPool() {
            super(1);
        }

        @Override
        public void execute(Runnable task) {
            World.current().host().execute(task);
        }
    }
}
