package dev.kvstore.benchmark.sweep.report;

import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.sweep.step.LoadRate;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A step that is fit for a use or a bound of latency, with the names that the JSON has. It refused no call, and kept up
 * if it was open. All figures are null if there is none.
 *
 * @param wanted the profile, or the bound of latency, for people
 * @param use the kind of work that the profile is for; null for a bound
 * @param percentile that is bounded, p50 or p99; null for a profile
 * @param targetMillis the bound for Reads, and for all operations; null for a profile
 * @param servers like the one that was measured, for what {@code --target} wants; null if nobody asked
 */
record OperatingPoint(
        String arrangement,
        String wanted,
        @Nullable String use,
        @Nullable String percentile,
        @Nullable Double targetMillis,
        @Nullable String loop,
        @Nullable Double concurrency,
        @Nullable Double iterationsPerSecond,
        @Nullable Double tokensPerSecond,
        @Nullable Double megabytesPerSecond,
        @Nullable Double readP50Millis,
        @Nullable Double readP99Millis,
        @Nullable Double overallP99Millis,
        @Nullable Long servers) {
    private static final double NEAR_LEAST_LATENCY = 1.1;

    /** A bound of latency, in milliseconds. */
    private record Bound(String percentile, double millis, ToDoubleFunction<Percentiles> latency) {
        static Bound p99(double millis) {
            return new Bound("p99", millis, Percentiles::p99Millis);
        }

        static Bound p50(double millis) {
            return new Bound("p50", millis, Percentiles::p50Millis);
        }

        boolean holds(SweepStep step) {
            return latency.applyAsDouble(step.read()) < millis && latency.applyAsDouble(step.overall()) < millis;
        }
    }

    /** The bounds that the original service is planned by. */
    private static final List<Bound> BOUNDS = List.of(
            Bound.p99(50),
            Bound.p99(100),
            Bound.p99(500),
            Bound.p99(1_000),
            Bound.p50(25),
            Bound.p50(30),
            Bound.p50(45),
            Bound.p50(60));

    /** The step with the most throughput below each bound, of all steps of an arrangement. */
    static List<OperatingPoint> bounded(List<SweepStep> steps, String arrangement, @Nullable LoadRate demand) {
        return BOUNDS.stream()
                .map(bound -> of(
                        steps.stream()
                                .filter(step -> step.clean() && bound.holds(step))
                                .max(Comparator.comparingDouble(SweepStep::throughput)),
                        arrangement,
                        Numbers.format("%s < %,.0f ms", bound.percentile, bound.millis),
                        null,
                        bound,
                        demand))
                .toList();
    }

    /**
     * The step for each kind of use.
     *
     * @param closed steps of a closed loop, from few clients to many
     */
    static List<OperatingPoint> profiles(List<SweepStep> closed, String arrangement, @Nullable LoadRate demand) {
        List<SweepStep> clean = closed.stream().filter(SweepStep::clean).toList();
        double least = clean.stream()
                .mapToDouble(step -> step.chiefLatency().p50Millis())
                .min()
                .orElse(0);
        Optional<SweepStep> fast = clean.stream()
                .filter(step -> step.chiefLatency().p50Millis() <= NEAR_LEAST_LATENCY * least)
                .max(Comparator.comparingDouble(SweepStep::throughput));
        Optional<SweepStep> balanced = clean.stream().max(Comparator.comparingDouble(SweepStep::power));
        Optional<SweepStep> full = SweepSeries.saturation(clean);
        return List.of(
                of(fast, arrangement, "lowest latency", "real-time, interactive", null, demand),
                of(balanced, arrangement, "balanced", "web applications, APIs", null, demand),
                of(full, arrangement, "highest throughput", "batch, background", null, demand));
    }

    private static OperatingPoint of(
            Optional<SweepStep> found,
            String arrangement,
            String wanted,
            @Nullable String use,
            @Nullable Bound bound,
            @Nullable LoadRate demand) {
        SweepStep step = found.orElse(null);
        return new OperatingPoint(
                arrangement,
                wanted,
                use,
                bound == null ? null : bound.percentile,
                bound == null ? null : bound.millis,
                figure(step, SweepStep::loop),
                figure(step, SweepStep::concurrency),
                figure(step, SweepStep::throughput),
                figure(step, SweepStep::tokensPerSecond),
                figure(step, of -> of.bytesPerSecond() / 1e6),
                figure(step, of -> of.read().p50Millis()),
                figure(step, of -> of.read().p99Millis()),
                figure(step, of -> of.overall().p99Millis()),
                demand == null ? null : figure(step, demand::servers));
    }

    private static <F> @Nullable F figure(@Nullable SweepStep step, Function<SweepStep, F> figure) {
        return step == null ? null : figure.apply(step);
    }
}
