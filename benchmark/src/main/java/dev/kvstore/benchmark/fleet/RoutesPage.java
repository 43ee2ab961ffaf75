package dev.kvstore.benchmark.fleet;

import static dev.kvstore.benchmark.report.Numbers.text;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;

/** A report as a page: how soon routes are answered and told, and how well they spread work. */
final class RoutesPage {
    private static final double PERCENT = 100;
    private static final List<String> ROUNDS =
            List.of("watchers", "connections", "told", "half after (s)", "99 % after (s)", "all after (s)");

    private RoutesPage() {}

    static ReportPage of(RoutesReport report) {
        return new ReportPage(
                        "Routes",
                        "Routes of a fleet of %s processes in %s clusters, all of which send heartbeats."
                                .formatted(text(report.members()), text(report.clusters())),
                        List.of(
                                new ReportPage.Section(
                                        "Answers, one at a time", "", List.of(answers(report.answers()))),
                                new ReportPage.Section(
                                        "Work against headroom",
                                        "%s targets: their work differs from their headroom by %s %% at most."
                                                .formatted(
                                                        text(report.spread().targets()),
                                                        text(PERCENT
                                                                * report.spread()
                                                                        .largestDeviation())),
                                        List.of()),
                                new ReportPage.Section(
                                        "Told of a drain",
                                        "",
                                        List.of(new Figure.Table(
                                                "From the request to drain", ROUNDS, rounds(report))))))
                .withFailures(report.breaches());
    }

    private static Figure.Table answers(RoutesReport.RouteLatencies answers) {
        return new Figure.Table(
                text(answers.client().count()) + " answers",
                List.of("", "p50 (ms)", "p99 (ms)"),
                List.of(
                        List.of(
                                "seen by the client",
                                text(answers.client().p50Millis()),
                                text(answers.client().p99Millis())),
                        List.of(
                                "in the control plane",
                                text(answers.serverP50Millis()),
                                text(answers.serverP99Millis())),
                        List.of(
                                "to work one out",
                                text(answers.workedOutP50Millis()),
                                text(answers.workedOutP99Millis()))));
    }

    private static List<List<String>> rounds(RoutesReport report) {
        return report.watching().stream()
                .map(round -> List.of(
                        text(round.watchers()),
                        text(round.connections()),
                        text(round.told()),
                        text(round.p50Seconds()),
                        text(round.p99Seconds()),
                        text(round.lastSeconds())))
                .toList();
    }
}
