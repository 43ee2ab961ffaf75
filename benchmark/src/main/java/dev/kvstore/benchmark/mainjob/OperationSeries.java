package dev.kvstore.benchmark.mainjob;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The measurements of one operation at one number of clients, a round each.
 *
 * @param rounds one or more
 */
record OperationSeries(
        String storage,
        String operation,
        MainJobOperation.ResultUnit unit,
        int clients,
        List<OperationMeasurement> rounds) {
    /** The median of the rounds, and how far they differ. */
    record SeriesSpread(double median, double min, double max) {}

    SeriesSpread spread(ToDoubleFunction<OperationMeasurement> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return new SeriesSpread(median, sorted[0], sorted[sorted.length - 1]);
    }

    double median(ToDoubleFunction<OperationMeasurement> figure) {
        return spread(figure).median();
    }

    SeriesSpread rate() {
        return spread(round -> round.rate(unit));
    }
}
