package dev.kvstore.benchmark.sweep.step;

import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.sweep.step.WindowFigures.LoadCount;
import dev.kvstore.benchmark.sweep.step.WindowFigures.Timed;
import dev.kvstore.launcher.stack.Metrics;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Steps as they are measured, for tests: all operations of a step take equally long. */
public final class Steps {
    public static final int BLOCK_BYTES = 1_000_000;

    private Steps() {}

    /** One round of one second. */
    public static SweepStep closed(int dataPlanes, int clients, int iterations, double millis) {
        return step(PlannedStep.closed(dataPlanes, clients), figures(iterations, millis, 0, FaultCounts.NONE));
    }

    public static SweepStep open(double rate, int iterations, double millis) {
        return step(PlannedStep.open(1, rate), figures(iterations, millis, 0, FaultCounts.NONE));
    }

    public static SweepStep step(PlannedStep plan, WindowFigures... rounds) {
        return SweepStep.of(
                plan, flags(), List.of(rounds).stream().map(Steps::round).toList());
    }

    /** Of a mixed load of blocks of 1 MB. */
    public static SweepFlags flags() {
        SweepFlags flags = new SweepFlags();
        flags.blockBytes = BLOCK_BYTES;
        return flags;
    }

    /** A step of one round of one second. The counters of its data planes grow from zero to those of a page of metrics. */
    public static SweepStep counted(PlannedStep plan, SweepFlags flags, WindowFigures figures, String metrics) {
        DataPlaneUse used = DataPlaneUse.of(Metrics.parse(metrics));
        return SweepStep.of(plan, flags, List.of(new SweepStep.StepRound(figures, 0.5, used)));
    }

    public static SweepStep.StepRound round(WindowFigures figures) {
        return new SweepStep.StepRound(figures, 0.5, null);
    }

    public static WindowFigures figures(int iterations, double millis, long refused, FaultCounts faults) {
        return new WindowFigures(
                1,
                Map.of(
                        Timed.LOOKUP, latencies(7 * iterations, millis),
                        Timed.READ, latencies(6 * iterations, millis),
                        Timed.WRITE, latencies(3 * iterations, millis),
                        Timed.ITERATION, latencies(iterations, 16 * millis)),
                Map.of(
                        LoadCount.BYTES_READ,
                        6L * iterations * BLOCK_BYTES,
                        LoadCount.BYTES_WRITTEN,
                        3L * iterations * BLOCK_BYTES,
                        LoadCount.COMPARED,
                        (long) iterations,
                        LoadCount.REFUSED,
                        refused),
                faults);
    }

    public static Latencies latencies(int count, double millis) {
        Latencies latencies = new Latencies();
        IntStream.range(0, count).forEach(_ -> latencies.add(Math.round(millis * 1e6)));
        return latencies;
    }
}
