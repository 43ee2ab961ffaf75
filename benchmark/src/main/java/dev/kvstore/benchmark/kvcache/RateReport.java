package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.suite.RateSweep;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.TextLines;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;

/**
 * One load at rising rates.
 *
 * @param knee the highest rate up to which at least 95 % of the offered requests were answered within their class'
 *     target; 0 if none
 * @param planned how many rates there should be
 */
record RateReport(double knee, int planned, List<SuiteReport.ReportedRun> runs) implements BenchReport {
    RateReport {
        runs = List.copyOf(runs);
    }

    static RateReport of(int planned, List<SuiteReport.ReportedRun> runs) {
        return new RateReport(
                RateSweep.knee(runs.stream().map(RateReport::point).toList()), planned, runs);
    }

    private static RateSweep.RatePoint point(SuiteReport.ReportedRun run) {
        return new RateSweep.RatePoint(Double.parseDouble(run.name()), sum(run, "offered"), sum(run, "within_target"));
    }

    private static long sum(SuiteReport.ReportedRun run, String key) {
        return run.summary()
                .at("/kvstore/requests")
                .valueStream()
                .mapToLong(qos -> qos.path(key).asLong())
                .sum();
    }

    private List<String> flaws() {
        return SuiteReport.flaws(runs, planned);
    }

    @Override
    public boolean holds() {
        return flaws().isEmpty();
    }

    @Override
    public String text() {
        TextLines text = new TextLines();
        text.line(
                "%10s %9s %9s %9s %9s %9s %9s %11s %11s %9s",
                "requests/s",
                "offered",
                "answered",
                "late",
                "abandoned",
                "refused",
                "in time",
                "p50 ms",
                "p95 ms",
                "queue");
        for (SuiteReport.ReportedRun run : runs) {
            JsonNode own = run.summary().path("kvstore");
            text.line(
                    "%10s %9d %9d %9d %9d %9d %8.1f%% %11s %11s %9.1f",
                    run.name(),
                    sum(run, "offered"),
                    sum(run, "completed"),
                    sum(run, "late"),
                    sum(run, "abandoned"),
                    sum(run, "refused"),
                    100 * point(run).inTime(),
                    millis(own.at("/latency_from_intended_start_ms/p50")),
                    millis(own.at("/latency_from_intended_start_ms/p95")),
                    own.at("/queue/mean_length").asDouble());
        }
        text.line("");
        text.line("%s", sentence());
        runs.stream()
                .filter(SuiteReport.ReportedRun::clientWasTheLimit)
                .forEach(run -> text.line(
                        "%s requests a second: the processors were the limit, these are figures of the client",
                        run.name()));
        flaws().forEach(flaw -> text.line("%s", "FAILED: " + flaw));
        return text.toString();
    }

    /** A dash if nothing was answered. */
    private static String millis(JsonNode value) {
        return value.isMissingNode() ? "–" : TextLines.format("%.1f", value.asDouble());
    }

    private String sentence() {
        return knee == 0
                ? "At no rate were 95 % of the requests answered within their class' target."
                : TextLines.format("Up to %s requests a second, 95 %% are answered within their class' target.", knee);
    }

    @Override
    public ReportPage page(String command) {
        List<Figure.Bar> inTime = new ArrayList<>();
        List<Figure.Bar> latency = new ArrayList<>();
        for (SuiteReport.ReportedRun run : runs) {
            double share = 100 * point(run).inTime();
            inTime.add(new Figure.Bar(run.name(), "in time", share, share, share));
            for (String percentile : List.of("p50", "p95", "p99")) {
                double millis = run.summary()
                        .at("/kvstore/latency_from_intended_start_ms/" + percentile)
                        .asDouble();
                latency.add(new Figure.Bar(run.name(), percentile, millis, millis, millis));
            }
        }
        List<ReportPage.Section> sections = List.of(
                new ReportPage.Section(
                        "In time", "", List.of(new Figure.Bars("Requests within their class' target", "%", inTime))),
                new ReportPage.Section(
                        "Latencies", "", List.of(new Figure.Bars("From the intended start, by rate", "ms", latency))),
                new ReportPage.Section("All of it as text", text(), List.of()));
        return new ReportPage("KV cache: rates", command + ": " + sentence(), sections).withFailures(flaws());
    }
}
