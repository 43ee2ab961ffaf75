package dev.kvstore.benchmark.failover;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.client.KvStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** The outcomes of the requests of one case. Thread-safe. */
final class FailoverTally {
    private static final int FAILURES_TOLD = 5;

    /** A request, which returns how many of its blocks were not there. */
    @FunctionalInterface
    interface TalliedRequest {
        /**
         * @throws WrongBytesException if a block is not the one that was written
         */
        int send() throws WrongBytesException;
    }

    /** A block whose bytes are not those that were written. */
    static final class WrongBytesException extends Exception {
        private static final long serialVersionUID = 1;

        WrongBytesException(String message) {
            super(message);
        }
    }

    private record Slow(long end, long nanos) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Latencies> before = new TreeMap<>();
    private final Map<String, Latencies> during = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Slow> slow = new ArrayList<>();
    private long deed;
    private long undoing;
    private long requests;
    private long failed;
    private long misses;

    /** Something is done from now on. */
    void begin() {
        locked(() -> deed = System.nanoTime());
    }

    /** It is undone from now on. */
    void undo() {
        locked(() -> undoing = System.nanoTime());
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a request and waits for its answer. */
    void count(String kind, TalliedRequest request) {
        long start = System.nanoTime();
        int missed = 0;
        String failure = "";
        try {
            missed = request.send();
        } catch (WrongBytesException | RuntimeException e) {
            // Whatever comes to a caller in place of its answer.
            failure = kind + ": " + (e instanceof KvStoreException ? e.getMessage() : e);
        }
        note(kind, start, missed, failure);
    }

    private void note(String kind, long start, int missed, String failure) {
        long now = System.nanoTime();
        locked(() -> {
            requests++;
            misses += missed;
            if (deed == 0 || now < deed) {
                before.computeIfAbsent(kind, _ -> new Latencies()).add(now - start);
            } else if (undoing == 0) {
                during.computeIfAbsent(kind, _ -> new Latencies()).add(now - start);
                if (now - start > LEAST_SLOW_NANOS) {
                    slow.add(new Slow(now, now - start));
                }
            }
            if (!failure.isEmpty()) {
                failed++;
                if (failures.size() < FAILURES_TOLD) {
                    failures.add(failure);
                }
            }
        });
    }

    /** A request that takes less is never called slow, in nanoseconds. */
    static final long LEAST_SLOW_NANOS = 100_000_000;

    private static final double SLOW_FACTOR = 10;

    FailoverReport.FailoverResult result(String name, double secondsUntilOutOfRoutes, double secondsUntilBack) {
        lock.lock();
        try {
            Map<String, Latencies.Percentiles> usual = percentiles(before);
            double slowMillis = Math.max(LEAST_SLOW_NANOS / 1e6, SLOW_FACTOR * slowest(usual));
            double recovered = slow.stream()
                    .filter(request -> request.nanos() > slowMillis * 1e6)
                    .mapToDouble(request -> (request.end() - deed) / 1e9)
                    .max()
                    .orElse(0);
            return new FailoverReport.FailoverResult(
                    name,
                    requests,
                    failed,
                    List.copyOf(failures),
                    misses,
                    recovered,
                    slowMillis,
                    secondsUntilOutOfRoutes,
                    secondsUntilBack,
                    usual,
                    percentiles(during));
        } finally {
            lock.unlock();
        }
    }

    private static Map<String, Latencies.Percentiles> percentiles(Map<String, Latencies> latencies) {
        Map<String, Latencies.Percentiles> percentiles = new TreeMap<>();
        latencies.forEach((kind, all) -> percentiles.put(kind, all.percentiles()));
        return percentiles;
    }

    private static double slowest(Map<String, Latencies.Percentiles> latencies) {
        return latencies.values().stream()
                .mapToDouble(Latencies.Percentiles::p99Millis)
                .max()
                .orElse(0);
    }
}
