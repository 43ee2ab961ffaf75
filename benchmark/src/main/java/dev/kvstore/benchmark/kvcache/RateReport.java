package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.SuiteReport.ReportedRun;
import dev.kvstore.benchmark.kvcache.suite.RateSweep;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.ReportPage.Section;
import java.util.ArrayList;
import java.util.List;

/**
 * One load at rising rates.
 *
 * @param knee the highest rate up to which at least 95 % of the offered requests were answered within their class'
 *     target; 0 if none
 * @param planned how many rates there should be
 */
record RateReport(double knee, int planned, List<ReportedRun> runs) implements BenchReport {
    private static final String LATENCY = "/kvstore/latency_from_intended_start_ms/";

    private static final List<Column<ReportedRun>> COLUMNS = List.of(
            Column.of("requests/s", ReportedRun::name),
            sum("offered", "offered"),
            sum("answered", "completed"),
            sum("late", "late"),
            sum("abandoned", "abandoned"),
            sum("refused", "refused"),
            Column.of("in time", "%", run -> 100 * point(run).inTime()),
            millis("p50"),
            millis("p95"),
            Column.of("queue", run -> run.figure("/kvstore/queue/mean_length")));

    RateReport {
        runs = List.copyOf(runs);
    }

    static RateReport of(int planned, List<ReportedRun> runs) {
        return new RateReport(
                RateSweep.knee(runs.stream().map(RateReport::point).toList()), planned, runs);
    }

    private static Column<ReportedRun> sum(String name, String key) {
        return Column.of(name, run -> sum(run, key));
    }

    private static long sum(ReportedRun run, String key) {
        JsonNode classes = run.summary().at("/kvstore/requests");
        return classes.valueStream().mapToLong(qos -> qos.path(key).asLong()).sum();
    }

    /** A dash if nothing was answered. */
    private static Column<ReportedRun> millis(String percentile) {
        return Column.of(
                percentile, "ms", run -> run.summary().at(LATENCY + percentile).asDouble(Double.NaN));
    }

    private static RateSweep.RatePoint point(ReportedRun run) {
        return new RateSweep.RatePoint(Double.parseDouble(run.name()), sum(run, "offered"), sum(run, "within_target"));
    }

    @Override
    public List<String> failures() {
        return SuiteReport.flaws(runs, planned);
    }

    @Override
    public ReportPage page(String command) {
        List<Figure.Bar> inTime = new ArrayList<>();
        List<Figure.Bar> latency = new ArrayList<>();
        for (ReportedRun run : runs) {
            inTime.add(Figure.Bar.of(run.name(), "in time", 100 * point(run).inTime()));
            for (String percentile : List.of("p50", "p95", "p99")) {
                latency.add(Figure.Bar.of(run.name(), percentile, run.figure(LATENCY + percentile)));
            }
        }
        return new ReportPage(
                "KV cache: rates",
                knee == 0
                        ? "At no rate were 95 % of the requests answered within their class' target."
                        : "Up to %s requests a second, 95 %% are answered within their class' target.".formatted(knee),
                List.of(new Section(
                        "By rate",
                        SuiteReport.limited(runs),
                        List.of(
                                Figure.Table.of("", COLUMNS, runs),
                                new Figure.Bars("Requests within their class' target", "%", inTime),
                                new Figure.Bars("Latencies from the intended start", "ms", latency)))));
    }
}
