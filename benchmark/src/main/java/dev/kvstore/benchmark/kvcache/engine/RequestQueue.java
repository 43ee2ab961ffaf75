package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Requests that wait for a worker, the most urgent class first, then as they came; so many at most. Thread-safe. */
final class RequestQueue {
    private static final double NANOS = 1e9;

    private final int most;
    private final LongSupplier nanoTime;
    private final PriorityQueue<QueuedRequest> waiting = new PriorityQueue<>(
            Comparator.comparingInt(QueuedRequest::priority).reversed().thenComparingLong(QueuedRequest::order));
    private long changedNanos;
    private double lengthSeconds;
    private double waitSeconds;
    private double oldestSeconds;
    private int longest;
    private long offered;
    private int workers;
    private int serving;
    private boolean closed;

    /**
     * A request in it.
     *
     * @param intendedNanos when it was meant to arrive, of {@link System#nanoTime}
     * @param arrivedNanos when it did
     */
    record QueuedRequest(UserRequest request, int priority, long order, long intendedNanos, long arrivedNanos) {}

    RequestQueue(int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
        this.changedNanos = nanoTime.getAsLong();
    }

    /** Whether there was room for it. */
    synchronized boolean offer(UserRequest request, int priority, long intendedNanos) {
        if (waiting.size() >= most) {
            return false;
        }
        waiting.add(new QueuedRequest(request, priority, offered++, intendedNanos, passed()));
        longest = Math.max(longest, waiting.size());
        notify();
        return true;
    }

    /** At most so many requests are in work at once; none before the first call. */
    synchronized void employ(int number) {
        workers = number;
        notifyAll();
    }

    /** The next one, waiting for it and for a place among the workers; null once there will be none. */
    synchronized @Nullable QueuedRequest take() throws InterruptedException {
        while ((waiting.isEmpty() || serving >= workers) && !closed) {
            wait();
        }
        if (closed) {
            return null;
        }
        long now = passed();
        QueuedRequest next = waiting.remove();
        serving++;
        waitSeconds += (now - next.arrivedNanos()) / NANOS;
        return next;
    }

    /** A request that was taken is in work no more. */
    synchronized void served() {
        serving--;
        notify();
    }

    /** Nothing is taken any more; what still waits, the first time. */
    synchronized List<QueuedRequest> close() {
        closed = true;
        long now = passed();
        for (QueuedRequest left : waiting) {
            double seconds = (now - left.arrivedNanos()) / NANOS;
            waitSeconds += seconds;
            oldestSeconds = Math.max(oldestSeconds, seconds);
        }
        notifyAll();
        List<QueuedRequest> left = List.copyOf(waiting);
        waiting.clear();
        return left;
    }

    private long passed() {
        long now = nanoTime.getAsLong();
        lengthSeconds += waiting.size() * ((now - changedNanos) / NANOS);
        changedNanos = now;
        return now;
    }

    synchronized int length() {
        return waiting.size();
    }

    /** How it was in so many seconds until {@link #close}. */
    synchronized RunFigures.QueueFigures figures(double seconds) {
        return new RunFigures.QueueFigures(
                longest,
                seconds > 0 ? lengthSeconds / seconds : 0,
                offered > 0 ? waitSeconds / offered : 0,
                oldestSeconds,
                lengthSeconds > 0 ? waitSeconds / lengthSeconds : 1);
    }
}
