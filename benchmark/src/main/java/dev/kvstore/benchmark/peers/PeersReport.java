package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private static final double MEGABYTE = 1e6;
    private static final double PERCENT = 100;

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
            Map<String, String> versions) {
        private String text() {
            String text = """
                    %s, %d processors for clients and servers together, Java %s, load before %.2f
                    Warmed up for %.0f s, then %d interleaved rounds of %.0f s; GB are 10^9 bytes of payload.
                    KV Store's blocks are read from DRAM; what it writes is durable in %s.""";
            List<String> lines = new ArrayList<>();
            lines.add(Numbers.format(
                    text, system, processors, java, loadAverage, warmUpSeconds, rounds, seconds, storage));
            versions.forEach((program, version) -> lines.add(program + ": " + version));
            if (slowedMillis > 0) {
                lines.add("Every server was made to answer " + slowedMillis + " ms later.");
            }
            return String.join("\n", lines);
        }
    }

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

    /**
     * A peer that was not measured because the machine does not have it.
     *
     * @param programs that are not there
     * @param debianPackages that bring them
     */
    record MissingPeer(ComparedSystem peer, List<String> programs, List<String> debianPackages) {
        static MissingPeer of(ComparedSystem peer, List<PeerProgram> programs) {
            return new MissingPeer(
                    peer,
                    programs.stream().map(PeerProgram::command).toList(),
                    programs.stream().map(PeerProgram::debianPackage).toList());
        }

        @Override
        public String toString() {
            return peer.title() + ": no " + String.join(", no ", programs) + "; install "
                    + String.join(" and ", debianPackages);
        }
    }

    /** With the figures that follow from the rounds: noise and ratios. */
    static PeersReport of(
            PeersConditions conditions,
            List<BlockSet> workingSets,
            Map<PeerCase, List<LoadMeasurement>> rounds,
            List<MissingPeer> missing,
            List<String> flaws,
            boolean interrupted) {
        double typicalNoise = rounds.isEmpty()
                ? 0
                : Spread.of(rounds.values(), one -> CaseFigures.rate(one).deviation())
                        .median();
        List<CaseFigures> cases = new ArrayList<>();
        rounds.forEach((one, measured) -> cases.add(CaseFigures.of(one, measured, typicalNoise)));
        Map<String, @Nullable Double> ratios = new LinkedHashMap<>();
        Map<String, Ratio.Value> figures = new LinkedHashMap<>();
        for (Ratio ratio : Ratio.ALL) {
            ratios.put(ratio.key(), ratio.of(cases).map(Ratio.Value::value).orElse(null));
            ratio.of(cases).ifPresent(value -> figures.put(ratio.key(), value));
        }
        return new PeersReport(
                conditions, workingSets, cases, ratios, figures, typicalNoise, missing, flaws, interrupted);
    }

    /** A peer that is missing does not fail a run; a block that is, does. */
    @Override
    public List<String> failures() {
        Stream<String> ended =
                interrupted ? Stream.of("INTERRUPTED: what is above is what there was by then.") : Stream.of();
        return Stream.concat(flaws.stream(), ended).toList();
    }

    private static final List<Column<CaseFigures>> CASES = List.of(
            Column.of("peer", one -> one.peer().title()),
            Column.of("operation", CaseFigures::operation),
            Column.of("clients", CaseFigures::clients),
            Column.of("rate", "GB/s", CaseFigures::gbPerSecond),
            Column.of("noise", "%", one -> one.rounds() == 1 ? null : Math.round(one.noise() * PERCENT)),
            Column.of("CPU", "s/GB", one -> one.cpuSecondsPerGb().median()),
            Column.of("client", CaseFigures::clientCpuSecondsPerGb),
            Column.of("server", CaseFigures::serverCpuSecondsPerGb));

    /** A ratio that was measured. */
    private record RatioRow(Ratio ratio, Ratio.Value value) {}

    private static final List<Column<RatioRow>> RATIOS = List.of(
            Column.of("ratio", row -> row.ratio().key()),
            Column.of("of what", row -> row.ratio().text()),
            Column.of(
                    "found",
                    row -> new Spread(
                            row.value().value(), row.value().low(), row.value().high())),
            Column.of(
                    "clients",
                    row -> row.value().clients() + " and " + row.value().peerClients()));

    @Override
    public ReportPage page(String command) {
        List<ReportPage.Section> sections = new ArrayList<>();
        List<RatioRow> rows = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Ratio ratio : Ratio.ALL) {
            Ratio.Value value = ratioFigures.get(ratio.key());
            if (value == null) {
                others.add(ratio.key());
            } else {
                rows.add(new RatioRow(ratio, value));
            }
        }
        sections.add(new ReportPage.Section("Ratios", ratioText(others), List.of(Figure.Table.of("", RATIOS, rows))));
        workingSets.forEach(set -> sections.add(section(set)));
        sections.add(new ReportPage.Section("Conditions", conditions.text(), List.of()));
        String right = " Every block that was read or written was there, with every byte that it should have.";
        return new ReportPage("Peers", "KV Store beside others on this machine." + (holds() ? right : ""), sections);
    }

    private String ratioText(List<String> others) {
        List<String> paragraphs = new ArrayList<>();
        paragraphs.add(
                "With blocks of 1.2 MB, each peer at the number of clients that suits it best, and how far another"
                        + " run's ratio may be, by the noise of both. Noise is what the rounds tell, and no less than what they"
                        + " tell of the typical case: two runs agree if each figure is within both noises of the other.");
        if (!others.isEmpty()) {
            paragraphs.add("Of these one of the two was not measured: " + String.join(", ", others) + ".");
        }
        missing.forEach(one -> paragraphs.add("MISSING " + one));
        return String.join("\n\n", paragraphs);
    }

    private ReportPage.Section section(BlockSet set) {
        List<CaseFigures> all = cases.stream()
                .filter(one -> one.blockBytes() == set.blockBytes())
                .toList();
        Collection<List<CaseFigures>> ways = all.stream()
                .collect(Collectors.groupingBy(CaseFigures::way, LinkedHashMap::new, Collectors.toList()))
                .values();
        List<CaseFigures> best =
                ways.stream().map(way -> Collections.max(way, Ratio.FASTEST)).toList();
        return new ReportPage.Section(
                Numbers.format("Blocks of %,d bytes", set.blockBytes()),
                Numbers.format(
                        "%,d of them (%.0f MB) in turn; StreamingRead and raw TCP ask for %,d at a time.",
                        set.blocks(), (double) set.blocks() * set.blockBytes() / MEGABYTE, set.blocksPerRequest()),
                List.of(
                        Figure.Bars.of(
                                "Throughput at the best number of clients",
                                "GB/s",
                                best,
                                one -> Figure.Bar.of(one.peer().title(), one.way(), one.gbPerSecond())),
                        Figure.Bars.of(
                                "Processor time, client and server, at the same number of clients",
                                "s/GB",
                                best,
                                one -> Figure.Bar.of(one.peer().title(), one.way(), one.cpuSecondsPerGb())),
                        new Figure.Lines(
                                "Throughput against clients",
                                new Figure.Axis("clients", "", true),
                                new Figure.Axis("throughput", "GB/s", false),
                                ways.stream().map(PeersReport::line).toList()),
                        Figure.Table.of("", CASES, all)));
    }

    private static Figure.FigureLine line(List<CaseFigures> way) {
        return new Figure.FigureLine(
                way.getFirst().way(),
                way.stream()
                        .sorted(Comparator.comparingInt(CaseFigures::clients))
                        .map(one -> new Figure.FigurePoint(
                                one.clients(),
                                one.gbPerSecond().median(),
                                one.gbPerSecond().min(),
                                one.gbPerSecond().max()))
                        .toList());
    }
}
