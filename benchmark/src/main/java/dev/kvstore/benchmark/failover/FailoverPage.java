package dev.kvstore.benchmark.failover;

import static dev.kvstore.benchmark.report.Numbers.text;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.LatencyTable;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Bar;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A report with charts: what clients noticed, case by case. */
final class FailoverPage {
    private static final List<String> COLUMNS =
            List.of("case", "requests", "failed", "misses", "recovered (s)", "out of routes (s)", "back in routes (s)");

    private FailoverPage() {}

    static ReportPage of(FailoverReport report) {
        long requests = report.cases().stream()
                .mapToLong(FailoverReport.FailoverResult::requests)
                .sum();
        long failed = report.cases().stream()
                .mapToLong(FailoverReport.FailoverResult::failedRequests)
                .sum();
        String summary = "%s requests in %d cases; %s failed. %s%s"
                .formatted(
                        text(requests),
                        report.cases().size(),
                        failed == 0 ? "none" : text(failed),
                        report.layout(),
                        report.interrupted() ? " Stopped before its end: cases are missing." : "");
        return new ReportPage(
                        "Failover",
                        summary,
                        List.of(
                                new ReportPage.Section(
                                        "What clients noticed",
                                        failures(report),
                                        List.of(times(report), cases(report))),
                                new ReportPage.Section("How long requests took", "", List.of(latencies(report)))))
                .withFailures(report.breaches());
    }

    private static String failures(FailoverReport report) {
        return String.join(
                "\n\n",
                report.cases().stream()
                        .flatMap(one -> one.failures().stream().map(failure -> one.name() + ": " + failure))
                        .toList());
    }

    private static Figure.Bars times(FailoverReport report) {
        return new Figure.Bars(
                "Time until all was well again",
                "s",
                report.cases().stream()
                        .flatMap(one -> Stream.of(
                                bar(one, "requests as fast as before", one.secondsToRecover()),
                                bar(one, "out of routes", one.secondsUntilOutOfRoutes()),
                                bar(one, "back in routes", one.secondsUntilBack())))
                        .toList());
    }

    private static Bar bar(FailoverReport.FailoverResult one, String name, double seconds) {
        return new Bar(one.name(), name, seconds, seconds, seconds);
    }

    private static Figure.Table cases(FailoverReport report) {
        return new Figure.Table(
                "Cases",
                COLUMNS,
                report.cases().stream()
                        .map(one -> List.of(
                                one.name(),
                                text(one.requests()),
                                text(one.failedRequests()),
                                text(one.misses()),
                                text(one.secondsToRecover()),
                                text(one.secondsUntilOutOfRoutes()),
                                text(one.secondsUntilBack())))
                        .toList());
    }

    private static Figure.Table latencies(FailoverReport report) {
        Map<String, Latencies.Percentiles> all = new LinkedHashMap<>();
        for (FailoverReport.FailoverResult one : report.cases()) {
            one.before().forEach((kind, latency) -> all.put(one.name() + ", " + kind + ", before", latency));
            one.during().forEach((kind, latency) -> all.put(one.name() + ", " + kind + ", during", latency));
        }
        return LatencyTable.of("By case and kind, before the deed and from then until its undoing", all);
    }
}
