package dev.kvstore.benchmark.soak;

import dev.kvstore.client.KvStoreException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts of all clients together. Thread-safe. */
final class SoakCounts {
    private static final int MOST_MESSAGES = 20;

    private final Map<SoakCount, Long> counts = new EnumMap<>(SoakCount.class);
    private final Map<String, Long> steps = new TreeMap<>();
    private final List<String> messages = new ArrayList<>();

    SoakCounts() {
        for (SoakCount count : SoakCount.values()) {
            counts.put(count, 0L);
        }
    }

    /** A number that a soak finds, and whether the soak holds with it. */
    enum SoakCount {
        DENIED("blocks acknowledged, and denied", Promise.ZERO),
        WRONG("blocks with other bytes than were written", Promise.ZERO),
        /** Without a reason of the client's own. */
        FAILED("calls that failed or hung", Promise.ZERO),
        /** The process answered others within a second meanwhile. */
        EJECTED_WITHOUT_CAUSE("processes left alone without cause", Promise.ZERO),
        /** By the SDK's leak detector. */
        LEAKED("blocks that nobody closed", Promise.ZERO),
        DAMAGED("blocks that arrived damaged", Promise.ZERO),
        HELD("rounds after which something was held", Promise.ZERO),
        ACKNOWLEDGED("blocks acknowledged", Promise.SOME),
        READ("blocks read and compared", Promise.SOME),
        LOOKUPS("lookups of acknowledged blocks", Promise.SOME),
        CANCELLED("calls cancelled", Promise.SOME),
        OVERDUE("calls overdue", Promise.SOME),
        LEFT_MEMORY("blocks that left memory", Promise.SOME),
        /** After all retries. */
        REFUSED("calls refused for too much at a time", Promise.NONE),
        EJECTED("times a client left a process alone", Promise.NONE),
        LEFT_DISK("blocks that left the disk tier", Promise.NONE),
        LEARNT("times a partition was learnt from storage", Promise.NONE);

        private final String text;
        private final Promise promise;

        private enum Promise {
            ZERO,
            SOME,
            NONE
        }

        SoakCount(String text, Promise promise) {
            this.text = text;
            this.promise = promise;
        }

        String text() {
            return text;
        }

        /** Whether it must be zero. */
        boolean isFault() {
            return promise == Promise.ZERO;
        }

        /** Whether nothing is proved if it is zero. */
        boolean isTrial() {
            return promise == Promise.SOME;
        }
    }

    synchronized void add(SoakCount count, long more) {
        counts.merge(count, more, Long::sum);
    }

    synchronized void step(String habit) {
        steps.merge(habit, 1L, Long::sum);
    }

    /** An acknowledged block that a read or a lookup says is not there. */
    void denied(long blocks, String message) {
        fault(SoakCount.DENIED, blocks, message);
    }

    /** A block with other bytes than were written. */
    void wrong(String message) {
        fault(SoakCount.WRONG, 1, message);
    }

    /** A call that failed without a reason of its client's own. Too much at a time is not counted as a failure. */
    void failed(String habit, KvStoreException failure) {
        switch (failure.code()) {
            case RESOURCE_EXHAUSTED -> add(SoakCount.REFUSED, 1);
            case NOT_FOUND -> denied(1, habit + ": " + failure.getMessage());
            default -> fault(SoakCount.FAILED, 1, habit + ": " + failure.code() + ": " + failure.getMessage());
        }
    }

    /** A call that neither came to an end nor to its deadline. */
    void hung(String habit) {
        fault(SoakCount.FAILED, 1, habit + ": a call did not end, long after its deadline");
    }

    private synchronized void fault(SoakCount count, long more, String message) {
        add(count, more);
        if (messages.size() < MOST_MESSAGES) {
            messages.add(message);
        }
    }

    synchronized Map<SoakCount, Long> counts() {
        return new EnumMap<>(counts);
    }

    synchronized Map<String, Long> steps() {
        return new TreeMap<>(steps);
    }

    /** The first of what went wrong, for people. */
    synchronized List<String> messages() {
        return List.copyOf(messages);
    }
}
