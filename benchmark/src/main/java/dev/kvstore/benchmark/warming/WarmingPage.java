package dev.kvstore.benchmark.warming;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A report with charts: hit ratios by what a region was given, and clients' p99 with and without warming. */
final class WarmingPage {
    private WarmingPage() {}

    static ReportPage of(WarmingReport report) {
        List<ReportPage.Section> sections = new ArrayList<>();
        if (report.hits() != null) {
            sections.add(new ReportPage.Section(
                    "What is found after traffic has moved",
                    report.hits().trace().text(),
                    List.of(hits(report.hits()))));
        }
        if (report.pace() != null) {
            sections.add(new ReportPage.Section(
                    "What clients notice",
                    "Each pair is a while without warming and one with it.",
                    List.of(pace(report.pace()))));
        }
        sections.add(new ReportPage.Section("Goals", "", List.of(goals(report))));
        return new ReportPage("Warming", "", sections).withFailures(report.breaches());
    }

    private static Figure.Bars hits(HitFigures hits) {
        return new Figure.Bars(
                "Share of blocks that lookups find, by what the region was given",
                "",
                hits.regions().stream()
                        .flatMap(region -> Stream.of(
                                bar(region.share().text(), "second half", region.half()),
                                bar(region.share().text(), "its first ten minutes", region.firstMinutes())))
                        .toList());
    }

    private static Figure.Bar bar(String group, String name, double value) {
        return new Figure.Bar(group, name, value, value, value);
    }

    private static Figure.Lines pace(PaceFigures pace) {
        return new Figure.Lines(
                "p99 of clients",
                new Figure.Axis("pair", "", false),
                new Figure.Axis("p99", "ms", false),
                List.of(
                        line(pace, "home, without", PaceFigures.WithAndWithout::homeWithout),
                        line(pace, "home, with", PaceFigures.WithAndWithout::homeWith),
                        line(pace, "other region, without", PaceFigures.WithAndWithout::awayWithout),
                        line(pace, "other region, with", PaceFigures.WithAndWithout::awayWith)));
    }

    private static Figure.FigureLine line(
            PaceFigures pace, String name, java.util.function.ToDoubleFunction<PaceFigures.WithAndWithout> figure) {
        return new Figure.FigureLine(
                name,
                IntStream.range(0, pace.pairs().size())
                        .mapToObj(i -> Figure.FigurePoint.of(
                                i + 1, figure.applyAsDouble(pace.pairs().get(i))))
                        .toList());
    }

    private static Figure.Table goals(WarmingReport report) {
        return new Figure.Table(
                "Goals",
                List.of("goal", "wanted", "found"),
                report.all().stream()
                        .map(goal -> List.of(
                                goal.text(),
                                (goal.atMost() ? "<= " : ">= ") + goal.least(),
                                String.format(Locale.ROOT, "%.3f", goal.found())))
                        .toList());
    }
}
