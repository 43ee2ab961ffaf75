package dev.kvstore.benchmark.soak;

import dev.kvstore.client.KvStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts of all clients together. Thread-safe. */
final class SoakCounts {
    private static final int MOST_MESSAGES = 20;

    final AtomicLong acknowledged = new AtomicLong();
    final AtomicLong read = new AtomicLong();
    final AtomicLong lookups = new AtomicLong();
    final AtomicLong cancelled = new AtomicLong();
    final AtomicLong overdue = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    private final AtomicLong denied = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Map<String, Long> steps = new TreeMap<>();
    private final List<String> messages = new ArrayList<>();

    synchronized void step(String habit) {
        steps.merge(habit, 1L, Long::sum);
    }

    /** An acknowledged block that a read or a lookup says is not there. */
    void denied(long blocks, String message) {
        denied.addAndGet(blocks);
        note(message);
    }

    /** A block with other bytes than were written. */
    void wrong(String message) {
        wrong.incrementAndGet();
        note(message);
    }

    /** A call that failed without a reason of its client's own. Too much at a time is not counted as a failure. */
    void failed(String habit, KvStoreException failure) {
        switch (failure.code()) {
            case RESOURCE_EXHAUSTED -> refused.incrementAndGet();
            case NOT_FOUND -> denied(1, habit + ": " + failure.getMessage());
            default -> {
                failed.incrementAndGet();
                note(habit + ": " + failure.code() + ": " + failure.getMessage());
            }
        }
    }

    /** A call that neither came to an end nor to its deadline. */
    void hung(String habit) {
        failed.incrementAndGet();
        note(habit + ": a call did not end, long after its deadline");
    }

    private synchronized void note(String message) {
        if (messages.size() < MOST_MESSAGES) {
            messages.add(message);
        }
    }

    long denied() {
        return denied.get();
    }

    long wrong() {
        return wrong.get();
    }

    long failed() {
        return failed.get();
    }

    synchronized Map<String, Long> steps() {
        return Map.copyOf(steps);
    }

    /** The first of what went wrong, for people. */
    synchronized List<String> messages() {
        return List.copyOf(messages);
    }
}
