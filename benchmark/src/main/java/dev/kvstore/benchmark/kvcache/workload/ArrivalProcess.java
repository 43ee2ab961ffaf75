package dev.kvstore.benchmark.kvcache.workload;

import java.util.Locale;

/** When requests arrive. */
public enum ArrivalProcess {
    /** Each user thinks, asks, and thinks again without waiting for the answer: an open loop, as the original's. */
    USERS,
    /** All at equal distances. */
    FIXED,
    /** At random, independent of each other. */
    POISSON,
    /** In bursts, as far apart on average: gamma-distributed distances with a given coefficient of variation. */
    GAMMA;

    /** As the command line has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Seconds to the next arrival; {@link #USERS} has none of its own.
     *
     * @param rate arrivals a second, above 0
     * @param variation the standard deviation of the distances over their mean, above 0; for {@link #GAMMA}
     */
    public double gapSeconds(double rate, double variation, Draws draws) {
        return switch (this) {
            case USERS -> throw new IllegalStateException("users arrive when they have thought");
            case FIXED -> 1 / rate;
            case POISSON -> -Math.log1p(-draws.real()) / rate;
            case GAMMA -> {
                double shape = 1 / (variation * variation);
                yield gamma(shape, draws) / (shape * rate);
            }
        };
    }

    /** Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables" (2000); of scale 1. */
    private static double gamma(double shape, Draws draws) {
        if (shape < 1) {
            return gamma(shape + 1, draws) * Math.pow(1 - draws.real(), 1 / shape);
        }
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double normal = normal(draws);
            double cube = 1 + c * normal;
            double v = cube * cube * cube;
            if (v > 0 && Math.log(1 - draws.real()) < normal * normal / 2 + d - d * v + d * Math.log(v)) {
                return d * v;
            }
        }
    }

    private static double normal(Draws draws) {
        return Math.sqrt(-2 * Math.log1p(-draws.real())) * Math.cos(2 * Math.PI * draws.real());
    }
}
