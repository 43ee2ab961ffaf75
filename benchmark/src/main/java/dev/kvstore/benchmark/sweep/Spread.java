package dev.kvstore.benchmark.sweep;

import java.util.Arrays;

/** The median of the rounds, and how far they differ. */
record Spread(double median, double min, double max) {
    /**
     * The spread of one round or more.
     *
     * @param values one each
     */
    static Spread of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
