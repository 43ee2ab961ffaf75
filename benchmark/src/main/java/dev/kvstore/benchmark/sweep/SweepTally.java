package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The work of the clients of one process in one window. Thread-safe. */
final class SweepTally {
    private final MeasuringWindow window;
    private final Map<Mix.ResultKind, Latencies> latencies = new EnumMap<>(Mix.ResultKind.class);
    private final Latencies iterations = new Latencies();
    private final Latencies firstBlocks = new Latencies();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder compared = new LongAdder();
    private final LongAdder refused = new LongAdder();

    final Faults faults = new Faults();

    SweepTally(MeasuringWindow window) {
        this.window = window;
        for (Mix.ResultKind kind : Mix.ResultKind.values()) {
            latencies.put(kind, new Latencies());
        }
    }

    /**
     * An operation has ended now.
     *
     * @param start when it was due, in readings of {@link System#nanoTime}
     * @param bytes of the block that was read or written
     * @return whether that was in the window, and counts
     */
    boolean add(Mix.ResultKind kind, long start, long bytes) {
        long now = System.nanoTime();
        if (!window.contains(now)) {
            return false;
        }
        Objects.requireNonNull(latencies.get(kind)).add(now - start);
        switch (kind) {
            case LOOKUP -> {}
            case READ -> bytesRead.add(bytes);
            case WRITE -> bytesWritten.add(bytes);
        }
        return true;
    }

    /** A whole iteration has ended now. */
    void addIteration(long start) {
        add(iterations, start);
    }

    /** The first block of a stream is there now. */
    void addFirstBlock(long start) {
        add(firstBlocks, start);
    }

    private void add(Latencies which, long start) {
        long now = System.nanoTime();
        if (window.contains(now)) {
            which.add(now - start);
        }
    }

    void compared() {
        compared.increment();
    }

    /** The service wants to be left alone for a while. */
    void refused() {
        refused.increment();
    }

    long bytesWritten() {
        return bytesWritten.sum();
    }

    StepResult answer(long retries) {
        return new StepResult(
                window.seconds(),
                encoded(Mix.ResultKind.LOOKUP),
                encoded(Mix.ResultKind.READ),
                encoded(Mix.ResultKind.WRITE),
                iterations.encoded(),
                firstBlocks.encoded(),
                bytesRead.sum(),
                bytesWritten.sum(),
                compared.sum(),
                refused.sum(),
                retries,
                faults.count());
    }

    private String encoded(Mix.ResultKind kind) {
        return Objects.requireNonNull(latencies.get(kind)).encoded();
    }
}
