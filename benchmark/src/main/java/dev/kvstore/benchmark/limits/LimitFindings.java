package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.report.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The figures that were measured so far, in the order of measuring. For one thread. */
final class LimitFindings {
    private record FindingKey(Limit limit, String what, int clients, Quantity quantity) {}

    private final Map<FindingKey, List<Double>> rounds = new LinkedHashMap<>();

    /**
     * The figures of one case in all rounds, with the names that the JSON has.
     *
     * @param what the measured operation
     * @param clients at a time; 0 where there are none
     * @param rounds in the order of measuring, one or more
     */
    record MeasuredCase(Limit limit, String what, int clients, Quantity quantity, Spread spread, List<Double> rounds) {
        private static MeasuredCase of(FindingKey key, List<Double> rounds) {
            Spread spread = Spread.of(rounds, Double::doubleValue);
            return new MeasuredCase(key.limit, key.what, key.clients, key.quantity, spread, List.copyOf(rounds));
        }

        /** A name for it beside others of the same operation. */
        String atClients() {
            return clients == 0 ? what : clients == 1 ? "1 client" : clients + " clients";
        }
    }

    /** One round's value of one thing; {@link MeasuredCase} says what of. */
    void add(Limit limit, String what, int clients, Quantity quantity, double value) {
        rounds.computeIfAbsent(new FindingKey(limit, what, clients, quantity), _ -> new ArrayList<>())
                .add(value);
    }

    List<MeasuredCase> all() {
        return rounds.entrySet().stream()
                .map(entry -> MeasuredCase.of(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The case with the greatest median, among all numbers of clients. */
    Optional<MeasuredCase> best(Limit limit, String what, Quantity quantity) {
        return all().stream()
                .filter(one -> one.limit() == limit && one.what().equals(what) && one.quantity() == quantity)
                .max(Comparator.comparingDouble(one -> one.spread().median()));
    }

    Optional<MeasuredCase> at(Limit limit, String what, int clients, Quantity quantity) {
        FindingKey key = new FindingKey(limit, what, clients, quantity);
        return Optional.ofNullable(rounds.get(key)).map(values -> MeasuredCase.of(key, values));
    }
}
