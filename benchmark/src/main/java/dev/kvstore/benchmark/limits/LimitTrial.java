package dev.kvstore.benchmark.limits;

import java.io.IOException;

/** Measures the figures of one {@link Limit}. */
interface LimitTrial {
    /** How many steps of the progress it takes at most, each about as long as a measurement. */
    int steps(LimitsOptions options);

    /**
     * Starts the programs that it needs, measures, and stops them again.
     *
     * @throws IllegalStateException if a block was missing or wrong, or did not come from where it was to
     */
    void run(LimitScene scene) throws IOException, InterruptedException;
}
