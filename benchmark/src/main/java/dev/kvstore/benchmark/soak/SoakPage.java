package dev.kvstore.benchmark.soak;

import static dev.kvstore.benchmark.report.Numbers.text;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A report as a page: the figures that must be zero, and the load under which that was tried. */
final class SoakPage {
    private static final double MINUTE = 60;

    private SoakPage() {}

    static ReportPage of(SoakReport report) {
        String summary = "%s minutes of clients that pause, leave, cancel and hurry: %s"
                .formatted(
                        text(Math.rint(report.seconds() / MINUTE)),
                        report.holds()
                                ? "nothing was denied, nothing is held, nobody was left alone without cause."
                                : "something was denied, held or left alone, or nothing was proved.");
        return new ReportPage(
                "Soak",
                summary,
                List.of(
                        new ReportPage.Section("What must be zero", "", List.of(faults(report))),
                        new ReportPage.Section("What it was tried with", "", List.of(trials(report), steps(report)))));
    }

    private static Figure.Table faults(SoakReport report) {
        return Figure.Table.facts(
                "Faults",
                "blocks acknowledged, and denied",
                text(report.blocks().denied()),
                "blocks with other bytes than were written",
                text(report.blocks().wrong()),
                "calls that failed or hung",
                text(report.calls().failed()),
                "processes left alone without cause",
                text(report.ejections().withoutCause()),
                "blocks that nobody closed",
                text(report.leakedBlocks()),
                "blocks that arrived damaged",
                text(report.damagedBlocks()),
                "rounds after which something was held",
                text(report.rests().stream().filter(rest -> !rest.isClear()).count()));
    }

    private static Figure.Table trials(SoakReport report) {
        return Figure.Table.facts(
                "Blocks and calls",
                "blocks acknowledged",
                text(report.blocks().acknowledged()),
                "blocks read and compared",
                text(report.blocks().read()),
                "lookups of acknowledged blocks",
                text(report.blocks().lookups()),
                "calls cancelled",
                text(report.calls().cancelled()),
                "calls overdue",
                text(report.calls().overdue()),
                "calls refused for too much at a time",
                text(report.calls().refused()),
                "blocks that left memory",
                text(report.evictions().memory()),
                "blocks that left the disk tier",
                text(report.evictions().disk()),
                "times a partition was learnt from storage",
                text(report.evictions().filters()));
    }

    private static Figure.Table steps(SoakReport report) {
        return Figure.Table.facts(
                "How often a client did what",
                report.steps().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .flatMap(step -> Stream.of(step.getKey(), text(step.getValue())))
                        .toArray(String[]::new));
    }
}
