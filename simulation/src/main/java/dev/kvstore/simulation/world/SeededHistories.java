package dev.kvstore.simulation.world;

import java.util.BitSet;

/** The history of each seed. A caller need not know the classes of the product. For one thread. */
public interface SeededHistories {
    /** The number of steps in the plan of a seed. */
    int steps(long seed);

    /**
     * Runs the history of a seed.
     *
     * @param kept the steps of its plan that are taken
     */
    HistoryOutcome run(long seed, BitSet kept);

    /** Whether control planes and their database are part of the history of a seed. */
    boolean hasControlPlanes(long seed);

    /** The kept steps as Java, for a test that takes them again. */
    String code(long seed, BitSet kept);
}
