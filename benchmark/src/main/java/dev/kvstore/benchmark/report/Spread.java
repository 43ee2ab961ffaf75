package dev.kvstore.benchmark.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/** The median of some rounds, and how far they differ. */
public record Spread(double median, double min, double max) {
    /** @param rounds one or more */
    public static Spread of(double... rounds) {
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * The spread of one figure.
     *
     * @param rounds one or more
     */
    public static <R> Spread of(Collection<R> rounds, ToDoubleFunction<R> figure) {
        return of(rounds.stream().mapToDouble(figure).toArray());
    }

    /**
     * The distance of the round that is farthest from the median, as a share: 0.1 if that round is a tenth above the
     * median, or the median a tenth above that round; 0 for one round.
     */
    public double deviation() {
        return min == max ? 0 : Math.max(max / median, median / min) - 1;
    }
}
