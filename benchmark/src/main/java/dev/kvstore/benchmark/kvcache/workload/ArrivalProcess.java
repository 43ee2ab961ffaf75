package dev.kvstore.benchmark.kvcache.workload;

import java.util.Locale;

/** When requests arrive. */
public enum ArrivalProcess {
    /** Each user thinks, asks, and thinks again without waiting for the answer: an open loop, as the original's. */
    USERS,
    /** All at equal distances. */
    FIXED,
    /** At random, independent of each other. */
    POISSON;

    /** The process's name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Seconds to the next arrival; {@link #USERS} has none of its own.
     *
     * @param rate arrivals a second, above 0
     */
    double gapSeconds(double rate, Draws draws) {
        return switch (this) {
            case USERS -> throw new IllegalStateException("users arrive when they have thought");
            case FIXED -> 1 / rate;
            case POISSON -> -Math.log1p(-draws.real()) / rate;
        };
    }
}
