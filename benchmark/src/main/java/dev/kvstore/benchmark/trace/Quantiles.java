package dev.kvstore.benchmark.trace;

import java.util.random.RandomGenerator;

/**
 * How a number is distributed: evenly between each of these and the next, which are equally likely. Immutable.
 *
 * @param values in rising order, two or more; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent")
record Quantiles(double... values) {
    double sample(RandomGenerator random) {
        double place = random.nextDouble() * (values.length - 1);
        int below = (int) place;
        return values[below] + (place - below) * (values[below + 1] - values[below]);
    }
}
