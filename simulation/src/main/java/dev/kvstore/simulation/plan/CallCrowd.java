package dev.kvstore.simulation.plan;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Steps that come within milliseconds of one another, and are about one prompt: most faults of interleaving need two
 * calls of one block at nearly the same time. Immutable.
 *
 * @param share the part of the steps after which a crowd comes, 0 to 1
 * @param most the most steps of a crowd, 2 or more
 * @param withinMillis the time in which all steps of a crowd come, 1 or more
 */
public record CallCrowd(double share, int most, int withinMillis) {
    private static final int MOST = 6;
    private static final double MOST_SHARE = 0.3;
    private static final List<Integer> WITHIN_MILLIS = List.of(1, 5, 20, 60, 400);

    /** The part of a crowd's steps that are faults, in histories with faults. */
    private static final double FAULTS = 0.15;

    /** The crowds of a history; half of all histories have none. */
    static CallCrowd of(SplittableRandom random) {
        double share = random.nextBoolean() ? 0 : random.nextDouble(MOST_SHARE);
        return new CallCrowd(
                share, random.nextInt(2, MOST + 1), WITHIN_MILLIS.get(random.nextInt(WITHIN_MILLIS.size())));
    }

    boolean comes(SplittableRandom random) {
        return random.nextDouble() < share;
    }

    boolean isFault(SplittableRandom random) {
        return random.nextDouble() < FAULTS;
    }

    /** The times of a crowd's steps, in milliseconds. */
    List<Long> millis(long from, SplittableRandom random) {
        int steps = random.nextInt(2, most + 1);
        return IntStream.range(0, steps)
                .mapToObj(_ -> from + random.nextInt(withinMillis))
                .toList();
    }
}
