package dev.kvstore.benchmark.sweep.step;

import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.report.Spread;
import dev.kvstore.benchmark.sweep.step.WindowFigures.LoadCount;
import dev.kvstore.benchmark.sweep.step.WindowFigures.Timed;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a step, all its rounds together, with the names that the JSON has; {@code docs/benchmarks/sweep.md}
 * says what they mean. MB are 10^6 bytes. Null is what cannot be seen, or is not of this loop.
 *
 * @param concurrency clients of a closed loop; of an open one, how many iterations were under way on average
 * @param rounds iterations per second of each, in turn: what steps are compared by, since what the machine did in a
 *     round it did to all of them
 * @param cpuSecondsPerGigabyte of clients and data planes together, for the bytes read and written
 * @param readFrom where the blocks were found that were read
 * @param gigabitsPerSecond the traffic of the data planes
 * @param card the use of the network card that {@code --nic-gbit} names
 * @param hops of a closed loop, by the kind of call: in an open one waiting for its turn is in the latencies, too
 */
public record SweepStep(
        String loop,
        String arrangement,
        int dataPlanes,
        double concurrency,
        @Nullable Double offeredIterationsPerSecond,
        Spread iterationsPerSecond,
        List<Double> rounds,
        double tokensPerSecond,
        double readTokensPerSecond,
        double writtenTokensPerSecond,
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
        FaultCounts faults,
        @Nullable TierShares readFrom,
        @Nullable Map<String, Double> storageCalls,
        ServerTraffic gigabitsPerSecond,
        ServerTraffic.@Nullable CardUse card,
        Map<String, Hops> hops) {
    private static final int BLOCK_TOKENS = 128;
    private static final double MEGABYTE = 1e6;
    private static final double GIGABYTE = 1e9;
    private static final double KEPT_UP = 0.95;

    public SweepStep {
        rounds = List.copyOf(rounds);
        hops = Collections.unmodifiableMap(hops);
    }

    /**
     * Little's law (L = X W: Little, "A Proof for the Queuing Formula L = lambda W", 1961) as a check on the
     * instrument: clients of a closed loop that do nothing but wait for answers are all under way all the time. Where
     * throughput times mean latency is less than their number, they were busy with themselves; where it is more,
     * latencies or rates are wrong.
     *
     * @param underWay operations a second times their mean latency
     * @param holds whether that is the number of clients within 5 %
     */
    public record Little(int clients, double underWay, double deviationPercent, boolean holds) {
        private static final double MOST_PERCENT = 5;

        public static Little of(int clients, double underWay) {
            double deviation = (underWay / clients - 1) * 100;
            return new Little(clients, underWay, deviation, Math.abs(deviation) <= MOST_PERCENT);
        }
    }

    /** Shares of the blocks that were asked for, 0 to 1. */
    record TierShares(double memory, double disk, double storage) {
        public static TierShares of(DataPlaneUse used) {
            double all = Math.max(1, used.fromMemory() + used.fromDisk() + used.fromStorage());
            return new TierShares(used.fromMemory() / all, used.fromDisk() / all, used.fromStorage() / all);
        }
    }

    /**
     * A step done once.
     *
     * @param clientCpuSeconds processor time of the client processes meanwhile
     * @param used the data planes' work meanwhile; null where that cannot be seen
     */
    public record StepRound(
            WindowFigures figures,
            double clientCpuSeconds,
            @Nullable DataPlaneUse used) {}

    /**
     * All rounds of a step.
     *
     * @param rounds one or more
     */
    public static SweepStep of(PlannedStep plan, SweepFlags flags, List<StepRound> rounds) {
        int results = flags.results();
        List<WindowFigures> figures = rounds.stream().map(StepRound::figures).toList();
        double seconds = figures.stream().mapToDouble(WindowFigures::seconds).sum();
        WindowFigures all = WindowFigures.together(figures, seconds);
        Latencies overall = all.overall();
        double mean = overall.meanMillis();
        double iterations = all.iterationsPerSecond(results);
        // The blocks of a written stream are under way together, all other calls of a client one after the other.
        double busyMillis =
                flags.mix == Mix.STREAMING_WRITE ? all.of(Timed.ITERATION).meanMillis() : results * mean;
        double underWay = iterations * busyMillis / 1_000;
        double read = all.count(LoadCount.BYTES_READ);
        double written = all.count(LoadCount.BYTES_WRITTEN);
        double clientCpu =
                rounds.stream().mapToDouble(StepRound::clientCpuSeconds).sum();
        DataPlaneUse used = used(rounds);
        ServerTraffic traffic = ServerTraffic.of(read, written, used, seconds);
        double tokensOfByte = (double) BLOCK_TOKENS / flags.blockBytes;
        List<Double> each = figures.stream()
                .map(round -> round.iterationsPerSecond(results))
                .toList();
        return new SweepStep(
                plan.loop(),
                plan.arrangement(),
                plan.dataPlanes(),
                plan.hasRate() ? underWay : plan.clients(),
                plan.hasRate() ? plan.rate() : null,
                Spread.of(each, Double::doubleValue),
                each,
                (read + written) * tokensOfByte / seconds,
                read * tokensOfByte / seconds,
                written * tokensOfByte / seconds,
                read / MEGABYTE / seconds,
                written / MEGABYTE / seconds,
                all.of(Timed.LOOKUP).percentiles(),
                all.of(Timed.READ).percentiles(),
                all.of(Timed.WRITE).percentiles(),
                overall.percentiles(),
                all.of(Timed.ITERATION).percentiles(),
                all.of(Timed.FIRST_BLOCK).percentiles(),
                mean,
                plan.hasRate() ? null : Little.of(plan.clients(), underWay),
                !plan.hasRate() || iterations >= KEPT_UP * plan.rate(),
                clientCpu / seconds,
                used == null ? null : used.cpuSeconds() / seconds,
                used == null || read + written == 0
                        ? null
                        : (clientCpu + used.cpuSeconds()) / (read + written) * GIGABYTE,
                all.count(LoadCount.COMPARED),
                all.count(LoadCount.REFUSED),
                all.count(LoadCount.RETRIES),
                all.faults(),
                used == null ? null : TierShares.of(used),
                used == null ? null : perIteration(used.storageCalls(), iterations * seconds),
                traffic,
                traffic.ofCard(flags.nicGbit),
                plan.hasRate() ? Map.of() : Hops.of(all, used));
    }

    private static @Nullable DataPlaneUse used(List<StepRound> rounds) {
        DataPlaneUse all = DataPlaneUse.NONE;
        for (StepRound round : rounds) {
            if (round.used == null) {
                return null;
            }
            all = all.plus(round.used);
        }
        return all;
    }

    private static Map<String, Double> perIteration(Map<String, Double> calls, double iterations) {
        Map<String, Double> each = new TreeMap<>(calls);
        each.replaceAll((_, count) -> count / Math.max(1, iterations));
        return each;
    }

    /** In both directions. */
    public double bytesPerSecond() {
        return (readMegabytesPerSecond + writtenMegabytesPerSecond) * MEGABYTE;
    }

    /** Iterations per second, the rounds' median. */
    public double throughput() {
        return iterationsPerSecond.median();
    }

    /** The power of Kleinrock: throughput over mean latency. */
    public double power() {
        return throughput() / meanMillis;
    }

    /** The latencies that loads are chosen by: those of Reads, or of all operations where there are no Reads. */
    public Percentiles chiefLatency() {
        return read.count() > 0 ? read : overall;
    }

    /** The throughput over that of another step, round by round; of as many rounds as both have. */
    public Spread over(SweepStep other) {
        return Spread.of(IntStream.range(0, Math.min(rounds.size(), other.rounds.size()))
                .mapToDouble(round -> rounds.get(round) / other.rounds.get(round))
                .toArray());
    }

    /** Whether it may be recommended: it did what was asked of it, and turned nobody away. */
    public boolean clean() {
        return keptUp && refused == 0 && faults.all() == 0 && overall.count() > 0;
    }
}
