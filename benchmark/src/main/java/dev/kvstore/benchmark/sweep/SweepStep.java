package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a step, with the names that the JSON has: all its rounds together. MB are 10^6 bytes.
 *
 * @param loop {@code closed} or {@code open}
 * @param arrangement {@code single} or {@code dual}
 * @param concurrency clients of a closed loop; of an open one, how many iterations were under way on average
 * @param offeredIterationsPerSecond of an open loop; null of a closed one
 * @param rounds iterations per second of each, in turn: what steps are compared by, since what the machine did in a
 *     round it did to all of them
 * @param tokensPerSecond of the blocks that were read and written, 128 each
 * @param read latencies, of a StreamingRead that of the whole prompt
 * @param write latencies, of a StreamingWrite those of each block from handing it over to its acknowledgement
 * @param overall latencies of all operations together
 * @param firstBlock of StreamingReads, from asking for a prompt to its first block
 * @param little of a closed loop; null of an open one
 * @param keptUp whether an open loop did what it was offered, within 5 %; true of a closed one
 * @param serverCpus processors used by the data planes on average; null where that cannot be seen
 * @param cpuSecondsPerGigabyte of clients and data planes together, for the bytes read and written; null likewise
 * @param compared of the reads, how many were compared byte for byte
 * @param refused calls that were refused for overload, the SDK's retries included
 * @param readFrom where the blocks were found that were read; null where that cannot be seen
 * @param storageCalls of the data planes, for each iteration, by operation; null likewise
 */
record SweepStep(
        String loop,
        String arrangement,
        int dataPlanes,
        double concurrency,
        @Nullable Double offeredIterationsPerSecond,
        Spread iterationsPerSecond,
        List<Double> rounds,
        double tokensPerSecond,
        double readMegabytesPerSecond,
        double writtenMegabytesPerSecond,
        Percentiles lookup,
        Percentiles read,
        Percentiles write,
        Percentiles overall,
        Percentiles iteration,
        Percentiles firstBlock,
        double meanMillis,
        @Nullable Little little,
        boolean keptUp,
        double clientCpus,
        @Nullable Double serverCpus,
        @Nullable Double cpuSecondsPerGigabyte,
        long compared,
        long refused,
        long retries,
        Faults.FaultCounts faults,
        @Nullable TierShares readFrom,
        @Nullable Map<String, Double> storageCalls) {
    private static final int BLOCK_TOKENS = 128;
    private static final double MEGABYTE = 1e6;
    private static final double GIGABYTE = 1e9;
    private static final double KEPT_UP = 0.95;

    SweepStep {
        rounds = List.copyOf(rounds);
    }

    /** Shares of the blocks that were asked for, 0 to 1. */
    record TierShares(double memory, double disk, double storage) {
        static TierShares of(DataPlaneUse seen) {
            double all = Math.max(1, seen.fromMemory() + seen.fromDisk() + seen.fromStorage());
            return new TierShares(seen.fromMemory() / all, seen.fromDisk() / all, seen.fromStorage() / all);
        }
    }

    /** A step done once; what the data planes did meanwhile is null where that cannot be seen. */
    record StepRound(WindowFigures figures, @Nullable DataPlaneUse seen) {}

    /**
     * All rounds of a step.
     *
     * @param rounds one or more
     */
    static SweepStep of(PlannedStep plan, Mix mix, int blockBytes, List<StepRound> rounds) {
        double seconds = sum(rounds, WindowFigures::seconds);
        Latencies overall = merged(rounds, WindowFigures::overall);
        double mean = overall.meanMillis();
        int results = rounds.getFirst().figures.results();
        double iterations = overall.percentiles().count() / (double) results / seconds;
        Latencies iteration = merged(rounds, WindowFigures::iteration);
        // The blocks of a written stream are under way together, all other calls of a client one after the other.
        double busyMillis = mix == Mix.STREAMING_WRITE ? iteration.meanMillis() : results * mean;
        double underWay = iterations * busyMillis / 1_000;
        double read = sum(rounds, WindowFigures::bytesRead);
        double written = sum(rounds, WindowFigures::bytesWritten);
        double clientCpu = sum(rounds, WindowFigures::cpuSeconds);
        DataPlaneUse seen = seen(rounds);
        List<Double> each = rounds.stream()
                .map(round -> round.figures.iterationsPerSecond())
                .toList();
        Faults.FaultCounts faults = rounds.stream()
                .map(round -> round.figures.faults())
                .reduce(Faults.FaultCounts.NONE, Faults.FaultCounts::plus);
        return new SweepStep(
                plan.loop(),
                plan.arrangement(),
                plan.dataPlanes(),
                plan.isOpen() ? underWay : plan.clients(),
                plan.isOpen() ? plan.rate() : null,
                Spread.of(each.stream().mapToDouble(Double::doubleValue).toArray()),
                each,
                (read + written) / blockBytes * BLOCK_TOKENS / seconds,
                read / MEGABYTE / seconds,
                written / MEGABYTE / seconds,
                merged(rounds, WindowFigures::lookup).percentiles(),
                merged(rounds, WindowFigures::read).percentiles(),
                merged(rounds, WindowFigures::write).percentiles(),
                overall.percentiles(),
                iteration.percentiles(),
                merged(rounds, WindowFigures::firstBlock).percentiles(),
                mean,
                plan.isOpen() ? null : Little.of(plan.clients(), underWay),
                !plan.isOpen() || iterations >= KEPT_UP * plan.rate(),
                clientCpu / seconds,
                seen == null ? null : seen.cpuSeconds() / seconds,
                seen == null || read + written == 0
                        ? null
                        : (clientCpu + seen.cpuSeconds()) / ((read + written) / GIGABYTE),
                (long) sum(rounds, WindowFigures::compared),
                (long) sum(rounds, WindowFigures::refused),
                (long) sum(rounds, WindowFigures::retries),
                faults,
                seen == null ? null : TierShares.of(seen),
                seen == null ? null : perIteration(seen.storageCalls(), iterations * seconds));
    }

    private static double sum(List<StepRound> rounds, ToDoubleFunction<WindowFigures> figure) {
        return rounds.stream()
                .mapToDouble(round -> figure.applyAsDouble(round.figures))
                .sum();
    }

    private static Latencies merged(List<StepRound> rounds, Function<WindowFigures, Latencies> figure) {
        Latencies all = new Latencies();
        rounds.forEach(round -> all.add(figure.apply(round.figures)));
        return all;
    }

    private static @Nullable DataPlaneUse seen(List<StepRound> rounds) {
        DataPlaneUse all = null;
        for (StepRound round : rounds) {
            if (round.seen == null) {
                return null;
            }
            all = all == null ? round.seen : all.plus(round.seen);
        }
        return all;
    }

    private static Map<String, Double> perIteration(Map<String, Double> calls, double iterations) {
        Map<String, Double> each = new TreeMap<>();
        calls.forEach((operation, count) -> each.put(operation, count / Math.max(1, iterations)));
        return each;
    }

    /** In both directions. */
    double bytesPerSecond() {
        return (readMegabytesPerSecond + writtenMegabytesPerSecond) * MEGABYTE;
    }

    /** Whether it may be recommended: it did what was asked of it, and turned nobody away. */
    boolean clean() {
        return keptUp && refused == 0 && faults.all() == 0 && overall.count() > 0;
    }
}
