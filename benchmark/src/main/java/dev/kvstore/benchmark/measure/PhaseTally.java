package dev.kvstore.benchmark.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;

/** The outcomes of requests, by kind, in phases that follow one another. Thread-safe. */
public final class PhaseTally {
    private static final int FAILURES_TOLD = 5;

    private final Map<String, TalliedPhase> phases = new HashMap<>();
    private final List<String> failures = new ArrayList<>();
    private TalliedPhase current;
    private long requests;
    private long failed;
    private long misses;
    private long lastAnswer;
    private long pauseNanos;

    private static final class TalliedPhase {
        private final String name;
        private final long start = System.nanoTime();
        private final double slowNanos;
        private final Map<String, Latencies> latencies = new HashMap<>();
        private long lastSlow = start;

        private TalliedPhase(String name, double slowMillis) {
            this.name = name;
            this.slowNanos = slowMillis * 1e6;
        }
    }

    /** @param phase of the requests until another one begins */
    public PhaseTally(String phase) {
        current = new TalliedPhase(phase, Double.MAX_VALUE);
        phases.put(phase, current);
    }

    /**
     * Requests that end from now on are of this phase, which may have been begun before.
     *
     * @param slowMillis a request of this phase that takes longer is slow
     */
    public synchronized void begin(String phase, double slowMillis) {
        current = phases.computeIfAbsent(phase, name -> new TalliedPhase(name, slowMillis));
    }

    /**
     * Sends a request and waits for its answer. If it throws, it has failed; the exception is not passed on.
     *
     * @param request returns how many of its blocks were not there
     */
    public void count(String kind, IntSupplier request) {
        long start = System.nanoTime();
        try {
            noteAnswer(kind, start, request.getAsInt());
        } catch (RuntimeException e) {
            noteFailure(kind, start, e);
        }
    }

    private synchronized void noteAnswer(String kind, long start, int missed) {
        long now = noteEnd(kind, start);
        misses += missed;
        pauseNanos = lastAnswer == 0 ? 0 : Math.max(pauseNanos, now - lastAnswer);
        lastAnswer = now;
    }

    private synchronized void noteFailure(String kind, long start, RuntimeException failure) {
        var _ = noteEnd(kind, start);
        failed++;
        if (failures.size() < FAILURES_TOLD) {
            failures.add(kind + ": " + failure.getMessage() + " (" + current.name + ")");
        }
    }

    private long noteEnd(String kind, long start) {
        long now = System.nanoTime();
        requests++;
        current.latencies.computeIfAbsent(kind, _ -> new Latencies()).add(now - start);
        if (now - start > current.slowNanos) {
            current.lastSlow = now;
        }
        return now;
    }

    /** Requests of all phases. */
    public synchronized long requests() {
        return requests;
    }

    /** Requests of all phases that failed. */
    public synchronized long failed() {
        return failed;
    }

    /** Blocks that were not there, of all requests. */
    public synchronized long misses() {
        return misses;
    }

    /** Why the first few requests failed, and in which phase. */
    public synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** How long the requests of a phase took, by kind. */
    public synchronized Map<String, Latencies.Percentiles> latencies(String phase) {
        return Latencies.percentiles(phase(phase).latencies);
    }

    /** From the begin of a phase until the end of its last slow request, in seconds; 0 if none was slow. */
    public synchronized double secondsUntilFast(String phase) {
        return (phase(phase).lastSlow - phase(phase).start) / 1e9;
    }

    private TalliedPhase phase(String name) {
        return Objects.requireNonNull(phases.get(name), name);
    }

    /** Longest time between two answers, in milliseconds, or from the last until now; 0 if there was none. */
    public synchronized double pauseMillis() {
        return lastAnswer == 0 ? 0 : Math.max(pauseNanos, System.nanoTime() - lastAnswer) / 1e6;
    }
}
