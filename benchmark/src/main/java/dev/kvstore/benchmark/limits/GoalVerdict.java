package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.Spread;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A goal beside the figure that was found, with the names that the JSON has.
 *
 * @param goal its key
 * @param found null if it was not measured; so are the two that follow from it
 * @param reached whether the median is at the goal, or beyond it
 * @param missedBy by what factor the median has to be better; 1 where the goal is reached
 */
record GoalVerdict(
        String goal,
        Limit limit,
        String text,
        boolean atLeast,
        double bound,
        Quantity quantity,
        @Nullable Spread found,
        @Nullable Boolean reached,
        @Nullable Double missedBy) {
    static GoalVerdict of(Goal goal, LimitFindings findings) {
        Spread found = goal.source().of(findings).orElse(null);
        Double missedBy = found == null ? null : Math.max(1, factor(goal, found.median()));
        return new GoalVerdict(
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

    /** In a few words. */
    String outcome() {
        return missedBy == null
                ? "not measured"
                : isMissed() ? Numbers.format("MISSED by a factor of %.2f", missedBy) : "reached";
    }

    /** How near to the goal it was found, 1 at the goal and more beyond it; only where it was found. */
    Figure.Bar nearness() {
        Spread value = Objects.requireNonNull(found);
        return Figure.Bar.of(
                limit.title(),
                text + ", " + quantity,
                Spread.of(nearness(value.median()), nearness(value.min()), nearness(value.max())));
    }

    private double nearness(double value) {
        return atLeast ? value / bound : bound / value;
    }
}
