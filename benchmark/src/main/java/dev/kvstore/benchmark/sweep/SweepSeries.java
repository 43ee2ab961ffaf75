package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.report.Spread;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The figures that follow from the steps of one arrangement, with the names that the JSON has.
 *
 * @param peak where the closed loop's throughput is highest
 * @param saturation the least concurrency whose throughput is within 5 % of that
 * @param knee where the power, throughput over mean latency, is highest (Kleinrock, "Power and deterministic rules of
 *     thumb for probabilistic problems in computer communications", ICC 1979): below it, more clients bring more than
 *     they cost; above it, they pay in latency for what they gain
 * @param crowd the throughput of the most clients
 */
record SweepSeries(
        String arrangement,
        int dataPlanes,
        LoadPoint peak,
        LoadPoint saturation,
        LoadPoint knee,
        Crowd crowd,
        List<OperatingPoint> operatingPoints) {
    /** The bounds that a p99 is compared with, in milliseconds. */
    private static final List<Double> TARGETS = List.of(50.0, 100.0, 500.0, 1_000.0);

    private static final double SATURATED = 0.95;

    /** A step of the closed loop. */
    record LoadPoint(double concurrency, double iterationsPerSecond, double meanMillis, double readP99Millis) {
        static LoadPoint of(SweepStep step) {
            return new LoadPoint(
                    step.concurrency(),
                    step.iterationsPerSecond().median(),
                    step.meanMillis(),
                    step.read().p99Millis());
        }
    }

    /**
     * The closed step of the most clients.
     *
     * @param ofPeak its throughput over that of the peak's step, round by round; of as many rounds as both have
     */
    record Crowd(double concurrency, Spread ofPeak) {
        static Crowd of(SweepStep most, SweepStep peak) {
            double[] ratios = IntStream.range(
                            0, Math.min(most.rounds().size(), peak.rounds().size()))
                    .mapToDouble(
                            round -> most.rounds().get(round) / peak.rounds().get(round))
                    .toArray();
            return new Crowd(most.concurrency(), Spread.of(ratios));
        }
    }

    /**
     * The step with the most throughput whose p99 of Reads, and of all operations, are below the target; without calls
     * that were refused, and an open one only if it kept up. All but the target are null if there is none.
     *
     * @param servers like the one that was measured, for what {@code --target} wants; null if nobody asked
     */
    record OperatingPoint(
            String arrangement,
            double targetMillis,
            @Nullable String loop,
            @Nullable Double concurrency,
            @Nullable Double iterationsPerSecond,
            @Nullable Double megabytesPerSecond,
            @Nullable Double readP99Millis,
            @Nullable Double overallP99Millis,
            @Nullable Long servers) {}

    /**
     * The series of one arrangement.
     *
     * @return nothing if no closed step of it did anything
     */
    static Optional<SweepSeries> of(String arrangement, List<SweepStep> all, @Nullable LoadRate demand) {
        List<SweepStep> steps = all.stream()
                .filter(step -> step.arrangement().equals(arrangement))
                .toList();
        List<SweepStep> closed = steps.stream()
                .filter(step ->
                        step.loop().equals(PlannedStep.CLOSED) && step.overall().count() > 0)
                .sorted(Comparator.comparingDouble(SweepStep::concurrency))
                .toList();
        if (closed.isEmpty()) {
            return Optional.empty();
        }
        SweepStep peak = most(closed, SweepSeries::throughput);
        SweepStep saturated = closed.stream()
                .filter(step -> throughput(step) >= SATURATED * throughput(peak))
                .findFirst()
                .orElse(peak);
        return Optional.of(new SweepSeries(
                arrangement,
                peak.dataPlanes(),
                LoadPoint.of(peak),
                LoadPoint.of(saturated),
                LoadPoint.of(most(closed, step -> throughput(step) / step.meanMillis())),
                Crowd.of(closed.getLast(), peak),
                TARGETS.stream()
                        .map(target -> operatingPoint(arrangement, target, steps, demand))
                        .toList()));
    }

    private static SweepStep most(List<SweepStep> steps, ToDoubleFunction<SweepStep> figure) {
        return Collections.max(steps, Comparator.comparingDouble(figure));
    }

    private static double throughput(SweepStep step) {
        return step.iterationsPerSecond().median();
    }

    private static OperatingPoint operatingPoint(
            String arrangement, double target, List<SweepStep> steps, @Nullable LoadRate demand) {
        return steps.stream()
                .filter(SweepStep::clean)
                .filter(step ->
                        step.read().p99Millis() < target && step.overall().p99Millis() < target)
                .max(Comparator.comparingDouble(SweepSeries::throughput))
                .map(step -> new OperatingPoint(
                        arrangement,
                        target,
                        step.loop(),
                        step.concurrency(),
                        throughput(step),
                        step.bytesPerSecond() / 1e6,
                        step.read().p99Millis(),
                        step.overall().p99Millis(),
                        demand == null ? null : demand.servers(step)))
                .orElseGet(() -> new OperatingPoint(arrangement, target, null, null, null, null, null, null, null));
    }
}
