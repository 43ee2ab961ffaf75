package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;

/**
 * The figures of one case in all rounds, with the names that the JSON has.
 *
 * @param what the measured operation
 * @param clients at a time; 0 where there are none
 * @param rounds in the order of measuring, one or more
 */
record MeasuredCase(Limit limit, String what, int clients, Quantity quantity, Spread spread, List<Double> rounds) {
    MeasuredCase {
        rounds = List.copyOf(rounds);
    }

    static MeasuredCase of(Limit limit, String what, int clients, Quantity quantity, List<Double> rounds) {
        Spread spread =
                Spread.of(rounds.stream().mapToDouble(Double::doubleValue).toArray());
        return new MeasuredCase(limit, what, clients, quantity, spread, rounds);
    }

    double median() {
        return spread.median();
    }

    Figure.Bar bar() {
        return Figure.Bar.of(
                what,
                switch (clients) {
                    case 0 -> what;
                    case 1 -> "1 client";
                    default -> clients + " clients";
                },
                spread);
    }
}
