package dev.kvstore.benchmark.warming;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How fast blocks were copied, and what clients noticed, with the names that the JSON has.
 *
 * @param roundTripMillis between the regions
 * @param bytesPerSecond that the warming was allowed
 * @param failedRequests of clients
 */
record PaceFigures(
        long roundTripMillis,
        long getMillis,
        long putMillis,
        long bytesPerSecond,
        List<WithAndWithout> pairs,
        long failedRequests) {
    /**
     * A while without warming, and then one with it.
     *
     * @param share of what it was allowed that it copied
     * @param homeWithout how long 99 of 100 requests took at most at home, in milliseconds
     */
    record WithAndWithout(double share, double homeWithout, double homeWith, double awayWithout, double awayWith) {}

    private double median(ToDoubleFunction<WithAndWithout> figure) {
        double[] sorted = pairs.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Median share of its budget that warming used. */
    @JsonProperty
    double budgetUsed() {
        return median(WithAndWithout::share);
    }

    /** Median of the pairs' ratios. */
    @JsonProperty
    double homeP99Ratio() {
        return median(pair -> pair.homeWith() / pair.homeWithout());
    }

    /** Median of the pairs' ratios. */
    @JsonProperty
    double awayP99Ratio() {
        return median(pair -> pair.awayWith() / pair.awayWithout());
    }
}
