package dev.kvstore.simulation;

import dev.kvstore.simulation.world.SeededHistories;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Seeds that follow one another. Immutable.
 *
 * @param first the lowest seed that may be taken
 * @param count how many seeds are taken
 * @param onlyControlled whether the seeds of histories without control planes are left out
 */
record SeedRange(long first, long count, boolean onlyControlled) {
    /** The word that leaves histories without control planes out. */
    static final String CONTROLLED = "controlled";

    /** Reads the first seed and the count from words of a command line, which may also have {@link #CONTROLLED}. */
    static SeedRange of(String first, String count, List<String> words) {
        return new SeedRange(Long.parseLong(first), Long.parseLong(count), words.contains(CONTROLLED));
    }

    LongStream of(SeededHistories histories) {
        return LongStream.iterate(first, seed -> seed + 1)
                .filter(seed -> !onlyControlled || histories.hasControlPlanes(seed))
                .limit(count);
    }
}
