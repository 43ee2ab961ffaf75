package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Requests that wait for a worker, the most urgent class first, then as they came; so many at most. Thread-safe. */
final class RequestQueue {
    private static final double NANOS = 1e9;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final int most;
    private final PriorityQueue<QueuedRequest> waiting = new PriorityQueue<>(
            Comparator.comparingInt(QueuedRequest::priority).reversed().thenComparingLong(QueuedRequest::order));
    private final EngineTime time;
    private long changedNanos;
    private double lengthSeconds;
    private double waitSeconds;
    private int longest;
    private long offered;
    private boolean closed;

    /**
     * A request in it.
     *
     * @param intendedNanos when it was meant to arrive, of {@link System#nanoTime}
     * @param arrivedNanos when it did
     */
    record QueuedRequest(UserRequest request, int priority, long order, long intendedNanos, long arrivedNanos) {}

    RequestQueue(int most, EngineTime time) {
        this.most = most;
        this.time = time;
        this.changedNanos = time.nanos();
    }

    /** Whether there was room for it. */
    boolean offer(UserRequest request, int priority, long intendedNanos) {
        lock.lock();
        try {
            if (waiting.size() >= most) {
                return false;
            }
            long now = passed();
            waiting.add(new QueuedRequest(request, priority, offered++, intendedNanos, now));
            longest = Math.max(longest, waiting.size());
            filled.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The next one, waiting for it; null once there will be none. */
    @Nullable
    QueuedRequest take() throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                filled.await(1, TimeUnit.SECONDS);
            }
            if (closed) {
                return null;
            }
            long now = passed();
            QueuedRequest next = waiting.poll();
            if (next != null) {
                waitSeconds += (now - next.arrivedNanos()) / NANOS;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is taken any more; what still waits. */
    List<QueuedRequest> close() {
        lock.lock();
        try {
            closed = true;
            long now = passed();
            waiting.forEach(one -> waitSeconds += (now - one.arrivedNanos()) / NANOS);
            filled.signalAll();
            return List.copyOf(waiting);
        } finally {
            lock.unlock();
        }
    }

    private long passed() {
        long now = time.nanos();
        lengthSeconds += waiting.size() * ((now - changedNanos) / NANOS);
        changedNanos = now;
        return now;
    }

    int length() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** How it was until {@link #close}. */
    QueueFigures figures(double seconds, double oldestSeconds) {
        lock.lock();
        try {
            return new QueueFigures(
                    longest,
                    seconds > 0 ? lengthSeconds / seconds : 0,
                    offered > 0 ? waitSeconds / offered : 0,
                    oldestSeconds,
                    lengthSeconds > 0 ? waitSeconds / lengthSeconds : 1);
        } finally {
            lock.unlock();
        }
    }
}
