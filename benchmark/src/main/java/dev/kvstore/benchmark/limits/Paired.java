package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Arithmetic of things that were measured in turn: what the machine did in a round it did to both, so rounds are taken
 * two by two. A round that only one of them has, since the run was stopped in it, does not count.
 */
final class Paired {
    private Paired() {}

    /** The spread of the rounds' ratios; empty if no round has both. */
    static Optional<Spread> ratio(List<Double> above, List<Double> below) {
        double[] ratios = each(above, below, (one, other) -> one / other).toArray();
        return ratios.length == 0 ? Optional.empty() : Optional.of(Spread.of(ratios));
    }

    static List<Double> sum(List<Double> one, List<Double> other) {
        return each(one, other, Double::sum).boxed().toList();
    }

    private static DoubleStream each(List<Double> one, List<Double> other, DoubleBinaryOperator of) {
        return IntStream.range(0, Math.min(one.size(), other.size()))
                .mapToDouble(round -> of.applyAsDouble(one.get(round), other.get(round)));
    }
}
