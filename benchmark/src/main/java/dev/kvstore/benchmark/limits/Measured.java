package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.peers.Spread;
import java.util.List;

/**
 * What the rounds found of one thing, with the names that the JSON has.
 *
 * @param what was measured
 * @param clients at a time; 0 where there are none
 * @param rounds in the order of measuring, one or more
 */
record Measured(Limit limit, String what, int clients, Quantity quantity, Spread spread, List<Double> rounds) {
    Measured {
        rounds = List.copyOf(rounds);
    }

    static Measured of(Limit limit, String what, int clients, Quantity quantity, List<Double> rounds) {
        Spread spread =
                Spread.of(rounds.stream().mapToDouble(Double::doubleValue).toArray());
        return new Measured(limit, what, clients, quantity, spread, rounds);
    }

    double median() {
        return spread.median();
    }
}
