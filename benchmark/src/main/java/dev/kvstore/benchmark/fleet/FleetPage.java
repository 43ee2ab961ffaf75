package dev.kvstore.benchmark.fleet;

import static dev.kvstore.benchmark.report.Numbers.text;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.LatencyTable;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report as a page: joins and heartbeats, a freeze, many that fall silent. */
final class FleetPage {
    private FleetPage() {}

    static ReportPage of(FleetReport report) {
        String summary =
                "%s processes in %s clusters of two regions: %s joined a second, and %s heartbeats a second were kept."
                        .formatted(
                                text(report.members()),
                                text(report.clusters()),
                                text(report.joins().perSecond()),
                                text(report.beats().perSecond()));
        Map<String, Latencies.Percentiles> latencies = new LinkedHashMap<>();
        latencies.put("join", report.joins().latency());
        latencies.put("heartbeat", report.beats().latency());
        return new ReportPage(
                        "Fleet",
                        summary,
                        List.of(
                                new ReportPage.Section(
                                        "Joins and heartbeats",
                                        "",
                                        List.of(
                                                LatencyTable.of("How long they took", latencies),
                                                beats(report.beats()))),
                                new ReportPage.Section("The control plane frozen", "", List.of(pause(report.pause()))),
                                new ReportPage.Section(
                                        "Many fall silent", "", List.of(loss(report.loss()), steps(report.loss())))))
                .withFailures(report.breaches());
    }

    private static Figure.Table beats(FleetReport.Beats beats) {
        return Figure.Table.facts(
                "Heartbeats for " + text(beats.seconds()) + " s",
                "failed",
                text(beats.failed()),
                "leases lost",
                text(beats.lost()),
                "batches a second",
                text(beats.batchesPerSecond()),
                "processors, control plane",
                text(beats.controlCpus()),
                "processors, PostgreSQL",
                text(beats.databaseCpus()),
                "processors, benchmark",
                text(beats.benchmarkCpus()));
    }

    private static Figure.Table pause(FleetReport.ControlPlanePause pause) {
        return Figure.Table.facts(
                "A freeze of " + text(pause.seconds()) + " s",
                "heartbeats failed",
                text(pause.failed()),
                "out of the fleet at one moment",
                text(pause.out()),
                "rows evicted",
                text(pause.evicted()),
                "leases lost",
                text(pause.lost()),
                "leases extended",
                text(pause.compensations()) + " times",
                "all heard of again after",
                text(pause.answeredAgainSeconds()) + " s");
    }

    private static Figure.Table loss(FleetReport.Loss loss) {
        return Figure.Table.facts(
                text(loss.silent()) + " of " + text(loss.processes()) + " processes of a region",
                "out of the fleet after",
                text(loss.outSeconds()) + " s",
                "leases of others lost",
                text(loss.lost()));
    }

    private static Figure.Table steps(FleetReport.Loss loss) {
        return new Figure.Table(
                "How their rows went, pass by pass",
                List.of("after (s)", "rows before", "deleted", "at most"),
                loss.steps().stream()
                        .map(step -> List.of(
                                text(step.second()), text(step.before()), text(step.deleted()), text(step.most())))
                        .toList());
    }
}
