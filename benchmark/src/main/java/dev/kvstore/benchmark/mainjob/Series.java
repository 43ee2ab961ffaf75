package dev.kvstore.benchmark.mainjob;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The measurements of one operation at one number of clients, a round each.
 *
 * @param rounds one or more
 */
record Series(String storage, String operation, Operation.Unit unit, int clients, List<Measurement> rounds) {
    /** What the rounds agree on, and how far they differ. */
    record Spread(double median, double min, double max) {}

    Spread spread(ToDoubleFunction<Measurement> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    double median(ToDoubleFunction<Measurement> figure) {
        return spread(figure).median();
    }

    Spread rate() {
        return spread(round -> round.rate(unit));
    }
}
