package dev.kvstore.benchmark.warming;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;

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

    /** Median share of its budget that warming used. */
    @JsonProperty
    double budgetUsed() {
        return Spread.of(pairs, WithAndWithout::share).median();
    }

    /** Of the pairs' ratios, of p99 at home. */
    Spread home() {
        return Spread.of(pairs, pair -> pair.homeWith() / pair.homeWithout());
    }

    /** Of the pairs' ratios, of p99 in the other region. */
    Spread away() {
        return Spread.of(pairs, pair -> pair.awayWith() / pair.awayWithout());
    }

    @JsonProperty
    double homeP99Ratio() {
        return home().median();
    }

    @JsonProperty
    double awayP99Ratio() {
        return away().median();
    }
}
