package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.Optional;

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
        Optional<Spread> of(LimitFindings all);
    }

    /** All there are, in the order of the JSON: those of the table of goals that other instruments do not show. */
    static final List<Goal> ALL = List.of(
            atLeast(
                    "write",
                    Limit.WRITE,
                    "Write over writing and syncing the same files, each at its best",
                    0.85,
                    Quantity.RATIO,
                    best(Limit.WRITE, WriteTrial.WRITE, WriteTrial.FILES)),
            atLeast(
                    "disk",
                    Limit.DISK,
                    "StreamingRead from the disk tier over fio, each at its best",
                    0.8,
                    Quantity.RATIO,
                    best(Limit.DISK, DiskTrial.READ, DiskTrial.FIO)),
            atLeast(
                    "small",
                    Limit.SMALL,
                    "StreamingRead of 512 B from memory at its best",
                    200_000,
                    Quantity.BLOCKS,
                    all -> all.best(Limit.SMALL, SmallTrial.READ, Quantity.BLOCKS)
                            .map(MeasuredCase::spread)),
            atMost(
                    "lookup",
                    Limit.LOOKUP,
                    "Lookup of 1,000 blocks, 1 client",
                    0.3,
                    Quantity.P50,
                    at(Limit.LOOKUP, LookupTrial.LOOKUP, 1, Quantity.P50)),
            atMost(
                    "lookupOfEight",
                    Limit.LOOKUP,
                    "the same, 8 clients",
                    1,
                    Quantity.P50,
                    at(Limit.LOOKUP, LookupTrial.LOOKUP, 8, Quantity.P50)),
            atMost(
                    "slowLookupOfEight",
                    Limit.LOOKUP,
                    "the same, 8 clients",
                    3,
                    Quantity.P99,
                    at(Limit.LOOKUP, LookupTrial.LOOKUP, 8, Quantity.P99)),
            atMost(
                    "cold",
                    Limit.COLD,
                    "a cold stream of 64 blocks over one cold Read and its transfer",
                    1.3,
                    Quantity.RATIO,
                    Goal::coldStream),
            atMost(
                    "far",
                    Limit.FAR,
                    "Read among 20 clients of the sweep, closed loop",
                    2,
                    Quantity.P50,
                    at(Limit.FAR, FarTrial.CLOSED, FarTrial.CLIENTS, Quantity.P50)),
            atMost(
                    "startEmpty",
                    Limit.START,
                    "from start to ready, nothing stored",
                    2,
                    Quantity.SECONDS,
                    at(Limit.START, StartTrial.EMPTY, 0, Quantity.SECONDS)),
            atMost(
                    "startLeft",
                    Limit.START,
                    "from start to ready, blocks left on its disk",
                    2,
                    Quantity.SECONDS,
                    at(Limit.START, StartTrial.LEFT, 0, Quantity.SECONDS)),
            atMost(
                    "memory",
                    Limit.START,
                    "resident memory beyond the blocks kept",
                    250,
                    Quantity.MEMORY,
                    at(Limit.START, StartTrial.BEYOND, StartTrial.CLIENTS, Quantity.MEMORY)));

    private static Goal atLeast(
            String key, Limit limit, String text, double bound, Quantity quantity, GoalFigure source) {
        return new Goal(key, limit, text, true, bound, quantity, source);
    }

    private static Goal atMost(
            String key, Limit limit, String text, double bound, Quantity quantity, GoalFigure source) {
        return new Goal(key, limit, text, false, bound, quantity, source);
    }

    private static GoalFigure at(Limit limit, String what, int clients, Quantity quantity) {
        return all -> all.at(limit, what, clients, quantity).map(MeasuredCase::spread);
    }

    /** One over another, each at the number of clients at which its median is greatest. */
    private static GoalFigure best(Limit limit, String ours, String theirs) {
        return all -> all.best(limit, ours, Quantity.RATE)
                .flatMap(our -> all.best(limit, theirs, Quantity.RATE)
                        .flatMap(their -> Paired.ratio(our.rounds(), their.rounds())));
    }

    private static Optional<Spread> coldStream(LimitFindings all) {
        return all.at(Limit.COLD, ColdTrial.STREAM, 1, Quantity.P50)
                .flatMap(stream -> all.at(Limit.COLD, ColdTrial.READ, 1, Quantity.P50)
                        .flatMap(read -> all.at(Limit.COLD, ColdTrial.TRANSFER, 1, Quantity.P50)
                                .flatMap(transfer ->
                                        Paired.ratio(stream.rounds(), Paired.sum(read.rounds(), transfer.rounds())))));
    }
}
