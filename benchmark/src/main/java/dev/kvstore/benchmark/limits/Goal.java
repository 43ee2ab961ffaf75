package dev.kvstore.benchmark.limits;

import static dev.kvstore.benchmark.limits.Quantity.BLOCKS;
import static dev.kvstore.benchmark.limits.Quantity.MEMORY;
import static dev.kvstore.benchmark.limits.Quantity.P50;
import static dev.kvstore.benchmark.limits.Quantity.P99;
import static dev.kvstore.benchmark.limits.Quantity.RATE;
import static dev.kvstore.benchmark.limits.Quantity.RATIO;
import static dev.kvstore.benchmark.limits.Quantity.SECONDS;

import dev.kvstore.benchmark.limits.LimitFindings.MeasuredCase;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The goal of a figure.
 *
 * @param key as in the JSON
 * @param text a description of the figure, for people
 * @param atLeast whether more is better; if not, less is
 */
record Goal(String key, Limit limit, String text, boolean atLeast, double bound, Quantity quantity, GoalFigure source) {
    /** How the figure follows from the measurements. */
    @FunctionalInterface
    interface GoalFigure {
        /** Empty if that is not enough. */
        Optional<Spread> of(LimitFindings all, Goal goal);
    }

    /** All there are, in the order of the JSON: those of the table of goals that other instruments do not show. */
    static final List<Goal> ALL = List.of(
            atLeast(
                    "write",
                    Limit.WRITE,
                    "Write over writing and syncing the same files, each at its best",
                    0.85,
                    RATIO,
                    best(WriteTrial.WRITE, WriteTrial.FILES)),
            atLeast(
                    "disk",
                    Limit.DISK,
                    "StreamingRead from the disk tier over fio, each at its best",
                    0.8,
                    RATIO,
                    best(DiskTrial.READ, DiskTrial.FIO)),
            atLeast(
                    "small",
                    Limit.SMALL,
                    "StreamingRead of 512 B from memory at its best",
                    200_000,
                    BLOCKS,
                    (all, goal) ->
                            all.best(goal.limit, TierTrials.SMALL, BLOCKS).map(MeasuredCase::spread)),
            atMost("lookup", Limit.LOOKUP, "Lookup of 1,000 blocks, 1 client", 0.3, P50, at(TierTrials.LOOKUP, 1)),
            atMost("lookupOfEight", Limit.LOOKUP, "the same, 8 clients", 1, P50, at(TierTrials.LOOKUP, 8)),
            atMost("slowLookupOfEight", Limit.LOOKUP, "the same, 8 clients", 3, P99, at(TierTrials.LOOKUP, 8)),
            atMost(
                    "cold",
                    Limit.COLD,
                    "a cold stream of 64 blocks over one cold Read and its transfer",
                    1.3,
                    RATIO,
                    Goal::coldStream),
            atMost(
                    "far",
                    Limit.FAR,
                    "Read among 20 clients of the sweep, closed loop",
                    2,
                    P50,
                    at(TierTrials.CLOSED, TierTrials.FAR_CLIENTS)),
            atMost(
                    "startEmpty",
                    Limit.START,
                    "from start to ready, nothing stored",
                    2,
                    SECONDS,
                    at(StartTrial.EMPTY, 0)),
            atMost(
                    "startLeft",
                    Limit.START,
                    "from start to ready, blocks left on its disk",
                    2,
                    SECONDS,
                    at(StartTrial.LEFT, 0)),
            atMost(
                    "memory",
                    Limit.START,
                    "resident memory beyond the blocks kept",
                    250,
                    MEMORY,
                    at(StartTrial.BEYOND, StartTrial.CLIENTS)));

    private static Goal atLeast(
            String key, Limit limit, String text, double bound, Quantity quantity, GoalFigure source) {
        return new Goal(key, limit, text, true, bound, quantity, source);
    }

    private static Goal atMost(
            String key, Limit limit, String text, double bound, Quantity quantity, GoalFigure source) {
        return new Goal(key, limit, text, false, bound, quantity, source);
    }

    private static GoalFigure at(String what, int clients) {
        return (all, goal) -> all.at(goal.limit, what, clients, goal.quantity).map(MeasuredCase::spread);
    }

    /** One over another, each at the number of clients at which its median is greatest. */
    private static GoalFigure best(String ours, String theirs) {
        return (all, goal) -> all.best(goal.limit, ours, RATE)
                .flatMap(our ->
                        all.best(goal.limit, theirs, RATE).flatMap(their -> ratio(our.rounds(), their.rounds())));
    }

    private static Optional<Spread> coldStream(LimitFindings all, Goal goal) {
        Optional<MeasuredCase> stream = all.at(goal.limit, TierTrials.STREAM, 1, P50);
        Optional<MeasuredCase> read = all.at(goal.limit, TierTrials.COLD_READ, 1, P50);
        Optional<MeasuredCase> transfer = all.at(goal.limit, TierTrials.TRANSFER, 1, P50);
        return stream.isEmpty() || read.isEmpty() || transfer.isEmpty()
                ? Optional.empty()
                : ratio(
                        stream.get().rounds(),
                        paired(read.get().rounds(), transfer.get().rounds(), Double::sum));
    }

    /** The spread of the rounds' ratios; empty if no round has both. */
    private static Optional<Spread> ratio(List<Double> above, List<Double> below) {
        List<Double> ratios = paired(above, below, (one, other) -> one / other);
        return ratios.isEmpty() ? Optional.empty() : Optional.of(Spread.of(ratios, Double::doubleValue));
    }

    /**
     * Both figures of a round were measured under the same noise, so rounds are taken two by two. A round that only one of them has,
     * since the run was stopped in it, does not count.
     */
    private static List<Double> paired(List<Double> one, List<Double> other, DoubleBinaryOperator of) {
        return IntStream.range(0, Math.min(one.size(), other.size()))
                .mapToObj(round -> of.applyAsDouble(one.get(round), other.get(round)))
                .toList();
    }

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

    GoalVerdict verdict(LimitFindings findings) {
        Spread found = source.of(findings, this).orElse(null);
        Double missedBy = found == null ? null : Math.max(1, atLeast ? bound / found.median() : found.median() / bound);
        Boolean reached = missedBy == null ? null : missedBy <= 1;
        return new GoalVerdict(key, limit, text, atLeast, bound, quantity, found, reached, missedBy);
    }
}
