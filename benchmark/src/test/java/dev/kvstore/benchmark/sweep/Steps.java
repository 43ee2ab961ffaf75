package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.List;
import java.util.stream.IntStream;

/** Steps as they are measured, for tests: all operations of a step take equally long. */
final class Steps {
    static final int BLOCK_BYTES = 1_000_000;

    private Steps() {}

    /** One round of one second. */
    static SweepStep closed(int dataPlanes, int clients, int iterations, double millis) {
        return step(PlannedStep.closed(dataPlanes, clients), figures(iterations, millis, 0, Faults.FaultCounts.NONE));
    }

    static SweepStep open(double rate, int iterations, double millis) {
        return step(PlannedStep.open(1, rate), figures(iterations, millis, 0, Faults.FaultCounts.NONE));
    }

    static SweepStep step(PlannedStep plan, WindowFigures... rounds) {
        return SweepStep.of(
                plan,
                Mix.MIXED,
                BLOCK_BYTES,
                List.of(rounds).stream()
                        .map(figures -> new SweepStep.StepRound(figures, null))
                        .toList());
    }

    static WindowFigures figures(int iterations, double millis, long refused, Faults.FaultCounts faults) {
        return new WindowFigures(
                1,
                16,
                latencies(7 * iterations, millis),
                latencies(6 * iterations, millis),
                latencies(3 * iterations, millis),
                latencies(iterations, 16 * millis),
                latencies(0, 0),
                6L * iterations * BLOCK_BYTES,
                3L * iterations * BLOCK_BYTES,
                iterations,
                refused,
                0,
                faults,
                0.5);
    }

    static Latencies latencies(int count, double millis) {
        Latencies latencies = new Latencies();
        IntStream.range(0, count).forEach(_ -> latencies.add(Math.round(millis * 1e6)));
        return latencies;
    }
}
