package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.ReportPage.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a suite beside each other.
 *
 * @param quick whether its figures say nothing
 * @param planned how many runs there should be
 * @param submission of mlperf, its summary; null of the others
 */
record SuiteReport(
        Suite suite,
        boolean quick,
        int planned,
        List<ReportedRun> runs,
        @Nullable JsonNode submission) implements BenchReport {
    private static final String TOKENS = "/storage_throughput_tokens_per_sec";
    private static final String READ = "/cache_stats/tier_storage_read_bandwidth_gbps";
    private static final List<Column<ReportedRun>> COLUMNS = List.of(
            Column.of("run", ReportedRun::name),
            Column.of("trial", ReportedRun::trial),
            Column.of("answered", run -> run.isEmpty() ? "none" : run.figure("/total_requests")),
            figure("tok/s of I/O", TOKENS, 1),
            figure("tok/s", "/avg_throughput_tokens_per_sec", 1),
            figure("hits %", "/cache_stats/cache_hit_rate", 100),
            figure("R:W", "/cache_stats/read_write_ratio", 1),
            figure("read GiB/s", READ, 1),
            figure("wr. GiB/s", "/cache_stats/tier_storage_write_bandwidth_gbps", 1),
            figure("dev.r. p95", "/cache_stats/storage_read_device_p95_ms", 1),
            figure("dev.w. p95", "/cache_stats/storage_write_device_p95_ms", 1),
            figure("CPU %", "/kvstore/client/cpu_share", 100));

    SuiteReport {
        runs = List.copyOf(runs);
    }

    /**
     * A run.
     *
     * @param file with its results
     * @param summary of them
     */
    record ReportedRun(String name, int trial, String file, JsonNode summary, List<String> flaws) {
        ReportedRun {
            flaws = List.copyOf(flaws);
        }

        /** 0 if it is not there. */
        double figure(String pointer) {
            return summary.at(pointer).asDouble();
        }

        /** Whether no request was answered; then there are no figures. */
        private boolean isEmpty() {
            return figure("/total_requests") == 0;
        }
    }

    private static Column<ReportedRun> figure(String name, String pointer, int factor) {
        return Column.of(name, run -> run.isEmpty() ? null : factor * run.figure(pointer));
    }

    /** A sentence each. */
    static List<String> flaws(List<ReportedRun> runs, int planned) {
        List<String> all = new ArrayList<>();
        runs.forEach(run -> run.flaws().forEach(flaw -> all.add(run.name() + ", trial " + run.trial() + ": " + flaw)));
        if (runs.size() < planned) {
            all.add("It was ended early: " + runs.size() + " of " + planned + " runs.");
        }
        return all;
    }

    /** A paragraph for each run whose figures are not those of a tier. */
    static String limited(List<ReportedRun> runs) {
        return runs.stream()
                .filter(run -> run.summary().at("/kvstore/client/was_the_limit").asBoolean())
                .map(run -> "%s, trial %d: the processors were the limit, these are figures of the client"
                        .formatted(run.name(), run.trial()))
                .collect(Collectors.joining("\n\n"));
    }

    @Override
    public List<String> failures() {
        return flaws(runs, planned);
    }

    @Override
    public ReportPage page(String command) {
        String note =
                "The last tier's bandwidths and device times in ms; CPU of all processors, of the benchmark itself.";
        List<Figure> figures = List.of(
                Figure.Table.of("", COLUMNS, runs),
                bars("Tokens a second of storage time", "tokens/s", TOKENS),
                bars("Reads of the last tier", "GiB/s", READ));
        return new ReportPage(
                "KV cache: suite " + suite,
                "Suite %s: %d of %d runs%s."
                        .formatted(suite, runs.size(), planned, quick ? ", quick: the figures say nothing" : ""),
                List.of(new Section("Runs", (note + "\n\n" + limited(runs)).strip(), figures)));
    }

    private Figure bars(String caption, String unit, String pointer) {
        return new Figure.Bars(
                caption,
                unit,
                runs.stream()
                        .map(run -> Figure.Bar.of(run.name(), "trial " + run.trial(), run.figure(pointer)))
                        .toList());
    }
}
