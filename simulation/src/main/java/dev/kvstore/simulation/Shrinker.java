package dev.kvstore.simulation;

import dev.kvstore.simulation.world.SeededHistories;
import java.util.BitSet;

/**
 * Leaves out steps of a history in which a promise is broken, for as long as a promise is broken without them (delta
 * debugging: Zeller and Hildebrandt, 2002). For one thread.
 */
final class Shrinker {
    private final SeededHistories histories;
    private final long seed;

    Shrinker(SeededHistories histories, long seed) {
        this.histories = histories;
        this.seed = seed;
    }

    /** The steps that together break a promise: without any one of them, no promise is broken. */
    BitSet shrink() {
        BitSet kept = Simulate.all(histories, seed);
        int part = Math.max(1, kept.cardinality() / 2);
        while (true) {
            BitSet fewer = without(kept, part);
            if (fewer.cardinality() < kept.cardinality()) {
                kept = fewer;
                part = Math.clamp(kept.cardinality() / 2, 1, part);
            } else if (part == 1) {
                return kept;
            } else {
                part /= 2;
            }
        }
    }

    /** Leaves out each part in turn, if a promise is still broken without it. */
    private BitSet without(BitSet kept, int part) {
        BitSet left = (BitSet) kept.clone();
        int[] steps = kept.stream().toArray();
        for (int from = 0; from < steps.length; from += part) {
            BitSet tried = (BitSet) left.clone();
            for (int i = from; i < Math.min(steps.length, from + part); i++) {
                tried.clear(steps[i]);
            }
            if (!histories.run(seed, tried).broken().isEmpty()) {
                left = tried;
            }
        }
        return left;
    }
}
