package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.Suite.SuiteRun;
import dev.kvstore.benchmark.kvcache.SuiteReport.ReportedRun;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.ReportPage.Section;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code --rates}: one load at rising rates.
 *
 * @param knee the highest rate up to which at each rate at least 95 % of the offered requests were answered in the
 *     window within their class' target, from the intended start; 0 if not even at the lowest
 * @param planned how many rates there should be
 */
record RateReport(double knee, int planned, List<ReportedRun> runs) implements BenchReport {
    private static final double IN_TIME = 95;
    private static final String LATENCY = "/kvstore/latency_from_intended_start_ms/";
    private static final List<Column<ReportedRun>> COLUMNS = List.of(
            Column.of("requests/s", ReportedRun::name),
            Column.of("offered", run -> sum(run, "offered")),
            Column.of("answered", run -> sum(run, "completed")),
            Column.of("late", run -> sum(run, "late")),
            Column.of("abandoned", run -> sum(run, "abandoned")),
            Column.of("refused", run -> sum(run, "refused")),
            Column.of("in time", "%", RateReport::percentInTime),
            Column.of("p50", "ms", run -> run.summary().at(LATENCY + "p50").asDouble(Double.NaN)),
            Column.of("p95", "ms", run -> run.summary().at(LATENCY + "p95").asDouble(Double.NaN)),
            Column.of("queue", run -> run.figure("/kvstore/queue/mean_length")));

    RateReport {
        runs = List.copyOf(runs);
    }

    /** A run for each rate. */
    static List<SuiteRun> runs(List<Double> rates, ArrivalProcess arrival) {
        return rates.stream()
                .map(rate -> {
                    String name = BigDecimal.valueOf(rate).stripTrailingZeros().toPlainString();
                    List<String> flags = List.of("--arrival=" + arrival, "--request-rate=" + name);
                    return new SuiteRun(name, 1, flags, "", "", "rate-" + name + ".json");
                })
                .toList();
    }

    /** @param runs by rising rate, which is their name */
    static RateReport of(int planned, List<ReportedRun> runs) {
        double knee = 0;
        for (ReportedRun run : runs) {
            if (percentInTime(run) < IN_TIME) {
                break;
            }
            knee = Double.parseDouble(run.name());
        }
        return new RateReport(knee, planned, runs);
    }

    private static long sum(ReportedRun run, String key) {
        JsonNode classes = run.summary().at("/kvstore/requests");
        return classes.valueStream().mapToLong(qos -> qos.path(key).asLong()).sum();
    }

    /** 100 if nothing was offered. */
    private static double percentInTime(ReportedRun run) {
        long offered = sum(run, "offered");
        return offered == 0 ? 100 : 100.0 * sum(run, "within_target") / offered;
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
            inTime.add(Figure.Bar.of(run.name(), "in time", percentInTime(run)));
            for (String percentile : List.of("p50", "p95", "p99")) {
                latency.add(Figure.Bar.of(run.name(), percentile, run.figure(LATENCY + percentile)));
            }
        }
        List<Figure> figures = List.of(
                Figure.Table.of("", COLUMNS, runs),
                new Figure.Bars("Requests within their class' target", "%", inTime),
                new Figure.Bars("Latencies from the intended start", "ms", latency));
        return new ReportPage(
                "KV cache: rates",
                knee == 0
                        ? "At no rate were 95 % of the requests answered within their class' target."
                        : "Up to %s requests a second, 95 %% are answered within their class' target.".formatted(knee),
                List.of(new Section("By rate", SuiteReport.notes(runs), figures)));
    }
}
