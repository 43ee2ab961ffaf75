package dev.kvstore.benchmark.sweep.report;

import dev.kvstore.benchmark.report.Spread;
import dev.kvstore.benchmark.sweep.report.SweepSeries.LoadPoint;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One data plane and two with as many clients together, or both at their peaks, with the names that the JSON has. A
 * percentage above 0 says that two are better.
 *
 * @param concurrency clients; null for the peaks, which may be of different numbers
 * @param throughputPercent more iterations per second, round by round
 * @param gigabitsPercent more traffic of the data planes; null where that cannot be seen
 * @param latencyPercent less p50 of Reads, or of all operations where there are no Reads
 */
record Comparison(
        @Nullable Double concurrency,
        LoadPoint single,
        LoadPoint dual,
        Spread throughputPercent,
        @Nullable Double gigabitsPercent,
        double latencyPercent) {
    /** Of each number of clients of the closed loop that both have, and of the peaks at last; none without both. */
    public static List<Comparison> of(List<SweepStep> steps) {
        List<SweepStep> single = arrangement(steps, 1);
        List<SweepStep> dual = arrangement(steps, 2);
        List<Comparison> all = new ArrayList<>();
        for (SweepStep one : single) {
            dual.stream()
                    .filter(two -> two.concurrency() == one.concurrency())
                    .forEach(two -> all.add(of(one.concurrency(), one, two)));
        }
        if (!all.isEmpty()) {
            all.add(of(null, SweepSeries.peak(single), SweepSeries.peak(dual)));
        }
        return all;
    }

    private static List<SweepStep> arrangement(List<SweepStep> steps, int dataPlanes) {
        return SweepSeries.closed(
                steps.stream().filter(step -> step.dataPlanes() == dataPlanes).toList());
    }

    private static Comparison of(@Nullable Double concurrency, SweepStep one, SweepStep two) {
        LoadPoint single = LoadPoint.of(one);
        LoadPoint dual = LoadPoint.of(two);
        Spread ratio = two.over(one);
        Double before = single.gigabitsPerSecond();
        Double after = dual.gigabitsPerSecond();
        return new Comparison(
                concurrency,
                single,
                dual,
                new Spread(more(ratio.median()), more(ratio.min()), more(ratio.max())),
                before == null || after == null || before == 0 ? null : more(after / before),
                -more(dual.p50Millis() / single.p50Millis()));
    }

    private static double more(double ratio) {
        return (ratio - 1) * 100;
    }
}
