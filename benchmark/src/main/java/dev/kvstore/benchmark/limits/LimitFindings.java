package dev.kvstore.benchmark.limits;

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

    /** One round's value of one thing; {@link MeasuredCase} says what of. */
    void add(Limit limit, String what, int clients, Quantity quantity, double value) {
        rounds.computeIfAbsent(new FindingKey(limit, what, clients, quantity), _ -> new ArrayList<>())
                .add(value);
    }

    List<MeasuredCase> all() {
        List<MeasuredCase> all = new ArrayList<>();
        rounds.forEach(
                (key, values) -> all.add(MeasuredCase.of(key.limit, key.what, key.clients, key.quantity, values)));
        return all;
    }

    /** The case with the greatest median, among all numbers of clients. */
    Optional<MeasuredCase> best(Limit limit, String what, Quantity quantity) {
        return all().stream()
                .filter(one -> one.limit() == limit && one.what().equals(what) && one.quantity() == quantity)
                .max(Comparator.comparingDouble(MeasuredCase::median));
    }

    Optional<MeasuredCase> at(Limit limit, String what, int clients, Quantity quantity) {
        return Optional.ofNullable(rounds.get(new FindingKey(limit, what, clients, quantity)))
                .map(values -> MeasuredCase.of(limit, what, clients, quantity, values));
    }
}
