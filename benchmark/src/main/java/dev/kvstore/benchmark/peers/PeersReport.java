package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was found, with the names that the JSON has.
 *
 * @param conditions under which
 * @param ratios each of {@link Ratio}, null where one of the two was not measured
 * @param ratioFigures how each came about
 * @param typicalNoise the median of what the cases' rounds tell, which no case's noise is below
 * @param flaws everything that was missing, wrong or failed, in a sentence each
 * @param interrupted whether it was ended before all was measured
 */
record PeersReport(
        PeersConditions conditions,
        List<BlockSet> workingSets,
        List<CaseFigures> cases,
        Map<String, @Nullable Double> ratios,
        Map<String, Ratio.Value> ratioFigures,
        double typicalNoise,
        List<MissingPeer> missing,
        List<String> flaws,
        boolean interrupted)
        implements BenchReport {
    /**
     * The conditions of all cases.
     *
     * @param loadAverage of the machine in the minute before; below 0 where it does not tell
     * @param storage the storage in which KV Store's blocks were durable
     * @param slowedMillis how much later servers were made to answer; 0 unless somebody tries the benchmark itself
     * @param versions of the programs of others
     */
    record PeersConditions(
            String system,
            int processors,
            String java,
            double loadAverage,
            double warmUpSeconds,
            double seconds,
            int rounds,
            String storage,
            long slowedMillis,
            Map<String, String> versions) {}

    /**
     * The blocks of one size that were read.
     *
     * @param blocks how many, in turn
     * @param blocksPerRequest how many a StreamingRead, and a request over raw TCP, asks for at a time
     */
    record BlockSet(int blockBytes, int blocks, int blocksPerRequest) {
        static BlockSet of(WorkingSet set) {
            return new BlockSet(set.blockBytes(), set.blocks(), set.blocksPerPrompt());
        }
    }

    /** With the figures that follow from the cases: noise and ratios. */
    static PeersReport of(
            PeersConditions conditions,
            List<BlockSet> workingSets,
            List<CaseFigures> cases,
            List<MissingPeer> missing,
            List<String> flaws,
            boolean interrupted) {
        double typical = cases.isEmpty()
                ? 0
                : Spread.of(cases.stream().mapToDouble(CaseFigures::noise).toArray())
                        .median();
        List<CaseFigures> noisy =
                cases.stream().map(one -> one.withNoiseOfAtLeast(typical)).toList();
        Map<String, @Nullable Double> ratios = new LinkedHashMap<>();
        Map<String, Ratio.Value> figures = new LinkedHashMap<>();
        for (Ratio ratio : Ratio.ALL) {
            ratios.put(ratio.key(), ratio.of(noisy).map(Ratio.Value::value).orElse(null));
            ratio.of(noisy).ifPresent(value -> figures.put(ratio.key(), value));
        }
        return new PeersReport(
                conditions,
                List.copyOf(workingSets),
                noisy,
                ratios,
                figures,
                typical,
                List.copyOf(missing),
                List.copyOf(flaws),
                interrupted);
    }

    /** Why there is no such ratio, in a few words. */
    String why(Ratio ratio) {
        List<String> reasons = new ArrayList<>();
        for (MissingPeer one : missing) {
            if (ratio.peers().contains(one.peer())) {
                reasons.add(one.toString());
            }
        }
        if (!reasons.isEmpty()) {
            return String.join("; ", reasons);
        }
        return "not measured" + (flaws.isEmpty() && !interrupted ? ": --only or --sizes leaves it out" : "");
    }

    /** A peer that is missing does not fail a run; a block that is, does. */
    @Override
    public boolean holds() {
        return flaws.isEmpty() && !interrupted;
    }

    @Override
    public String text() {
        return PeersTable.of(this);
    }

    @Override
    public ReportPage page(String command) {
        return PeersPage.of(this, command);
    }
}
