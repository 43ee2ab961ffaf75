package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.peers.Spread;
import org.jspecify.annotations.Nullable;

/**
 * A goal beside what was found, with the names that the JSON has.
 *
 * @param goal its key
 * @param found null if it was not measured; so are the two that follow from it
 * @param reached whether the median is at the goal, or beyond it
 * @param missedBy by what factor the median has to be better; 1 where the goal is reached
 */
record Verdict(
        String goal,
        Limit limit,
        String text,
        boolean atLeast,
        double bound,
        Quantity quantity,
        @Nullable Spread found,
        @Nullable Boolean reached,
        @Nullable Double missedBy) {
    static Verdict of(Goal goal, Findings findings) {
        Spread found = goal.source().of(findings).orElse(null);
        Double missedBy = found == null ? null : Math.max(1, factor(goal, found.median()));
        return new Verdict(
                goal.key(),
                goal.limit(),
                goal.text(),
                goal.atLeast(),
                goal.bound(),
                goal.quantity(),
                found,
                missedBy == null ? null : missedBy <= 1,
                missedBy);
    }

    private static double factor(Goal goal, double median) {
        return goal.atLeast() ? goal.bound() / median : median / goal.bound();
    }

    boolean isMissed() {
        return Boolean.FALSE.equals(reached);
    }
}
