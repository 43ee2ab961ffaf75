package dev.kvstore.benchmark.sweep.report;

import dev.kvstore.benchmark.report.Spread;
import dev.kvstore.benchmark.sweep.step.LoadRate;
import dev.kvstore.benchmark.sweep.step.PlannedStep;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
 * @param cardLimit the throughput that the network card allows; null if nobody named one, or nothing crossed it
 * @param profiles an operating point for each kind of use
 * @param operatingPoints one for each bound of latency
 */
record SweepSeries(
        String arrangement,
        int dataPlanes,
        LoadPoint peak,
        LoadPoint saturation,
        LoadPoint knee,
        Crowd crowd,
        @Nullable CardLimit cardLimit,
        List<OperatingPoint> profiles,
        List<OperatingPoint> operatingPoints) {
    private static final double SATURATED = 0.95;

    /**
     * A step of the closed loop.
     *
     * @param p50Millis of Reads, or of all operations where there are no Reads, as is {@code p99Millis}
     * @param gigabitsPerSecond the data planes' traffic in both directions; null where that cannot be seen
     */
    record LoadPoint(
            double concurrency,
            double iterationsPerSecond,
            double meanMillis,
            double readP99Millis,
            double p50Millis,
            double p99Millis,
            double tokensPerSecond,
            double readTokensPerSecond,
            double writtenTokensPerSecond,
            @Nullable Double gigabitsPerSecond) {
        public static LoadPoint of(SweepStep step) {
            return new LoadPoint(
                    step.concurrency(),
                    step.throughput(),
                    step.meanMillis(),
                    step.read().p99Millis(),
                    step.chiefLatency().p50Millis(),
                    step.chiefLatency().p99Millis(),
                    step.tokensPerSecond(),
                    step.readTokensPerSecond(),
                    step.writtenTokensPerSecond(),
                    step.gigabitsPerSecond().total());
        }
    }

    /**
     * The closed step of the most clients.
     *
     * @param ofPeak its throughput over that of the peak's step, round by round
     */
    record Crowd(double concurrency, Spread ofPeak) {}

    /**
     * The throughput at which the busier direction of the card is full, with as many bytes an iteration as at the peak.
     *
     * @param peakPercent the peak's share of it
     */
    record CardLimit(double iterationsPerSecond, double tokensPerSecond, double peakPercent) {
        public static @Nullable CardLimit of(SweepStep peak) {
            double percent = peak.card() == null ? 0 : peak.card().percent();
            return percent == 0
                    ? null
                    : new CardLimit(peak.throughput() * 100 / percent, peak.tokensPerSecond() * 100 / percent, percent);
        }
    }

    /**
     * The series of one arrangement.
     *
     * @return nothing if no closed step of it did anything
     */
    public static Optional<SweepSeries> of(String arrangement, List<SweepStep> all, @Nullable LoadRate demand) {
        List<SweepStep> steps = all.stream()
                .filter(step -> step.arrangement().equals(arrangement))
                .toList();
        List<SweepStep> closed = closed(steps);
        return saturation(closed).map(saturation -> {
            SweepStep peak = peak(closed);
            SweepStep crowd = closed.getLast();
            return new SweepSeries(
                    arrangement,
                    peak.dataPlanes(),
                    LoadPoint.of(peak),
                    LoadPoint.of(saturation),
                    LoadPoint.of(closed.stream()
                            .max(Comparator.comparingDouble(SweepStep::power))
                            .orElse(peak)),
                    new Crowd(crowd.concurrency(), crowd.over(peak)),
                    CardLimit.of(peak),
                    OperatingPoint.profiles(closed, arrangement, demand),
                    OperatingPoint.bounded(steps, arrangement, demand));
        });
    }

    /** The steps of the closed loop that did something, from few clients to many. */
    public static List<SweepStep> closed(List<SweepStep> steps) {
        return steps.stream()
                .filter(step ->
                        step.loop().equals(PlannedStep.CLOSED) && step.overall().count() > 0)
                .sorted(Comparator.comparingDouble(SweepStep::concurrency))
                .toList();
    }

    /**
     * The step with the most throughput.
     *
     * @param steps one or more
     */
    static SweepStep peak(List<SweepStep> steps) {
        return steps.stream()
                .max(Comparator.comparingDouble(SweepStep::throughput))
                .orElseThrow();
    }

    /**
     * The first step within 5 % of the most throughput.
     *
     * @param steps from few clients to many
     */
    static Optional<SweepStep> saturation(List<SweepStep> steps) {
        return steps.stream()
                .filter(step -> step.throughput() >= SATURATED * peak(steps).throughput())
                .findFirst();
    }
}
