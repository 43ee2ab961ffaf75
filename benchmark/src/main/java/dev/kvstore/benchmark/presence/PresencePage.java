package dev.kvstore.benchmark.presence;

import static dev.kvstore.benchmark.report.Numbers.text;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Bar;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A report with a chart: how a process learns of many blocks, and how it answers for them then. */
final class PresencePage {
    private static final double PERCENT = 100;

    private PresencePage() {}

    static ReportPage of(PresenceReport report) {
        String summary =
                "A process that starts beside %s blocks is ready after %s ms, and knows of them %s ms after it was first asked."
                        .formatted(text(report.blocks()), text(report.readyMillis()), text(report.loadMillis()));
        return new ReportPage(
                "Presence",
                summary,
                List.of(
                        new ReportPage.Section(
                                "Lookups of 1,000 blocks",
                                "One client, one after the other.",
                                List.of(rates(report), lookups(report))),
                        new ReportPage.Section("Learning of them", "", List.of(learning(report)))));
    }

    private static Figure.Bars rates(PresenceReport report) {
        return new Figure.Bars(
                "Rate",
                "lookups/s",
                List.of(
                        bar("full hit, cold", report.cold()),
                        bar("full hit, known", report.known()),
                        bar("full miss", report.missing())));
    }

    private static Bar bar(String name, PresenceReport.LookupTimes lookups) {
        return new Bar("", name, lookups.perSecond(), lookups.perSecond(), lookups.perSecond());
    }

    private static Figure.Table lookups(PresenceReport report) {
        return new Figure.Table(
                "Latency, and calls to storage for each",
                List.of("", "p50 (ms)", "p99 (ms)", "calls"),
                List.of(
                        row("full hit, cold", report.cold()),
                        row("full hit, known", report.known()),
                        row("full miss", report.missing())));
    }

    private static List<String> row(String name, PresenceReport.LookupTimes lookups) {
        return List.of(
                name,
                text(lookups.latency().p50Millis()),
                text(lookups.latency().p99Millis()),
                calls(lookups.calls()));
    }

    private static Figure.Table learning(PresenceReport report) {
        return Figure.Table.facts(
                "",
                "all blocks written after",
                text(report.writeSeconds()) + " s",
                "ready after",
                text(report.readyMillis()) + " ms",
                "first lookup answered after",
                text(report.firstLookupMillis()) + " ms",
                "calls to storage to learn of the partition",
                calls(report.loadCalls()),
                "presence in storage",
                "%s bytes in %d blobs, %s a block"
                        .formatted(
                                text(report.presenceBytes()),
                                report.presenceFiles(),
                                text((double) report.presenceBytes() / report.blocks())),
                "false positives",
                text(PERCENT * report.falsePositiveRate()) + " % of " + text(report.asked()) + " absent blocks",
                "lookups answered wrongly",
                text(report.wrongLookups()));
    }

    private static String calls(Map<String, Double> calls) {
        return calls.isEmpty()
                ? "none"
                : calls.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + text(entry.getValue()))
                        .collect(Collectors.joining(", "));
    }
}
