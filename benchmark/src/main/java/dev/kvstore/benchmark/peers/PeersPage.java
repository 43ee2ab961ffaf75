package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A report with charts: per size the best of each peer as bars, throughput against clients as lines, and all figures.
 */
final class PeersPage {
    private final PeersReport report;

    private PeersPage(PeersReport report) {
        this.report = report;
    }

    static ReportPage of(PeersReport report, String command) {
        return new PeersPage(report).page(command);
    }

    /** A row: one operation of one peer. */
    private record PeerRow(ComparedSystem peer, PeerOperation operation) {
        @Override
        public String toString() {
            return peer.title() + ", " + operation;
        }
    }

    private ReportPage page(String command) {
        List<ReportPage.Section> sections = new ArrayList<>();
        sections.add(new ReportPage.Section("Ratios", ratioText(), List.of(ratios())));
        report.workingSets().forEach(set -> sections.add(section(set)));
        sections.add(new ReportPage.Section("All of it as text", report.text(), List.of()));
        return new ReportPage("Peers", summary(command), sections);
    }

    private String summary(String command) {
        PeersReport.PeersConditions conditions = report.conditions();
        String verdict = report.holds()
                ? "Every byte was right."
                : report.interrupted() ? "It was interrupted." : String.join(" ", report.flaws());
        return String.format(
                Locale.ROOT,
                "%s on %s with %d processors for clients and servers together. %s",
                command,
                conditions.system(),
                conditions.processors(),
                verdict);
    }

    private String ratioText() {
        List<String> missing =
                report.missing().stream().map(one -> "Missing: " + one + ".").toList();
        return "With blocks of 1.2 MB, each peer at the number of clients that suits it best."
                + (missing.isEmpty() ? "" : "\n\n" + String.join("\n\n", missing));
    }

    private Figure ratios() {
        List<List<String>> rows = new ArrayList<>();
        for (Ratio ratio : Ratio.ALL) {
            Ratio.Value value = report.ratioFigures().get(ratio.key());
            rows.add(
                    value == null
                            ? List.of(ratio.key(), ratio.text(), "", "", "")
                            : List.of(
                                    ratio.key(),
                                    ratio.text(),
                                    number(value.value()),
                                    number(value.low()),
                                    number(value.high())));
        }
        return new Figure.Table("Ratios", List.of("ratio", "of what", "value", "from", "to"), rows);
    }

    private ReportPage.Section section(PeersReport.BlockSet set) {
        List<CaseFigures> cases = report.cases().stream()
                .filter(one -> one.blockBytes() == set.blockBytes())
                .toList();
        List<PeerRow> ways = cases.stream()
                .map(one -> new PeerRow(one.peer(), one.operation()))
                .distinct()
                .toList();
        return new ReportPage.Section(
                String.format(Locale.ROOT, "Blocks of %,d bytes", set.blockBytes()),
                "",
                List.of(
                        bars("Throughput at the best number of clients", "GB/s", cases, ways, CaseFigures::gbPerSecond),
                        bars(
                                "Processor time, client and server, at the same number of clients",
                                "s/GB",
                                cases,
                                ways,
                                CaseFigures::cpuSecondsPerGb),
                        new Figure.Lines(
                                "Throughput against clients",
                                new Figure.Axis("clients", "", true),
                                new Figure.Axis("throughput", "GB/s", false),
                                ways.stream().map(way -> line(cases, way)).toList())));
    }

    private static Figure bars(
            String caption,
            String unit,
            List<CaseFigures> cases,
            List<PeerRow> ways,
            Function<CaseFigures, Spread> figure) {
        return new Figure.Bars(
                caption,
                unit,
                ways.stream()
                        .map(way -> {
                            Spread spread = figure.apply(of(cases, way).stream()
                                    .max(Comparator.comparingDouble(
                                            one -> one.gbPerSecond().median()))
                                    .orElseThrow());
                            return new Figure.Bar(
                                    way.peer().title(), way.toString(), spread.median(), spread.min(), spread.max());
                        })
                        .toList());
    }

    private static Figure.FigureLine line(List<CaseFigures> cases, PeerRow way) {
        return new Figure.FigureLine(
                way.toString(),
                of(cases, way).stream()
                        .sorted(Comparator.comparingInt(CaseFigures::clients))
                        .map(one -> new Figure.FigurePoint(
                                one.clients(),
                                one.gbPerSecond().median(),
                                one.gbPerSecond().min(),
                                one.gbPerSecond().max()))
                        .toList());
    }

    private static List<CaseFigures> of(List<CaseFigures> cases, PeerRow way) {
        return cases.stream()
                .filter(one -> one.peer() == way.peer() && one.operation() == way.operation())
                .toList();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
