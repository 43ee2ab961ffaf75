package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.client.KvStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** The outcomes of requests. Thread-safe. */
final class LoadTally {
    private static final int FAILURES_TOLD = 5;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Latencies> whileThere = new TreeMap<>();
    private final Map<String, Latencies> whileGone = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private volatile boolean gone;
    private long failed;
    private boolean answered;
    private long lastAnswer;
    private long pauseNanos;

    /** A request, which says whether it was answered as it has to be. */
    @FunctionalInterface
    interface MeasuredRequest {
        boolean send();
    }

    /** The control plane is gone from now on, or is there again. */
    void gone(boolean isGone) {
        gone = isGone;
    }

    /** Sends a request and waits for its answer. */
    void count(String kind, MeasuredRequest request) {
        boolean whenGone = gone;
        long start = System.nanoTime();
        try {
            boolean right = request.send();
            note(kind, whenGone, start, right ? "" : kind + ": a wrong answer");
        } catch (KvStoreException e) {
            note(kind, whenGone, start, kind + ": " + e.getMessage());
        }
    }

    private void note(String kind, boolean whenGone, long start, String failure) {
        lock.lock();
        try {
            long now = System.nanoTime();
            (whenGone ? whileGone : whileThere)
                    .computeIfAbsent(kind, _ -> new Latencies())
                    .add(now - start);
            if (failure.isEmpty()) {
                pauseNanos = answered ? Math.max(pauseNanos, now - lastAnswer) : 0;
                answered = true;
                lastAnswer = now;
            } else {
                failed++;
                if (failures.size() < FAILURES_TOLD) {
                    failures.add(failure + (whenGone ? " (control plane gone)" : " (control plane there)"));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    Map<String, Latencies.Percentiles> whileThere() {
        return percentiles(whileThere);
    }

    Map<String, Latencies.Percentiles> whileGone() {
        return percentiles(whileGone);
    }

    private Map<String, Latencies.Percentiles> percentiles(Map<String, Latencies> latencies) {
        lock.lock();
        try {
            Map<String, Latencies.Percentiles> percentiles = new TreeMap<>();
            latencies.forEach((kind, all) -> percentiles.put(kind, all.percentiles()));
            return percentiles;
        } finally {
            lock.unlock();
        }
    }

    long failed() {
        lock.lock();
        try {
            return failed;
        } finally {
            lock.unlock();
        }
    }

    List<String> failures() {
        lock.lock();
        try {
            return List.copyOf(failures);
        } finally {
            lock.unlock();
        }
    }

    /** Longest time between two answers, in milliseconds, or from the last until now; 0 if there was none. */
    double pauseMillis() {
        lock.lock();
        try {
            return answered ? Math.max(pauseNanos, System.nanoTime() - lastAnswer) / 1e6 : 0;
        } finally {
            lock.unlock();
        }
    }
}
