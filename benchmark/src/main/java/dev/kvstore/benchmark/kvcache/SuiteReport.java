package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.suite.Suite;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.TextLines;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
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

        double stat(String key) {
            return summary.path("cache_stats").path(key).asDouble();
        }

        double storageThroughput() {
            return summary.path("storage_throughput_tokens_per_sec").asDouble();
        }

        /** Whether a request was answered; else there are no figures. */
        boolean isEmpty() {
            return summary.path("total_requests").asLong() == 0;
        }

        boolean clientWasTheLimit() {
            return summary.at("/kvstore/client/was_the_limit").asBoolean();
        }
    }

    private List<String> flaws() {
        return flaws(runs, planned);
    }

    /** A sentence each. */
    static List<String> flaws(List<ReportedRun> runs, int planned) {
        List<String> all = new ArrayList<>();
        for (ReportedRun run : runs) {
            run.flaws().forEach(flaw -> all.add(run.name() + ", trial " + run.trial() + ": " + flaw));
        }
        if (runs.size() < planned) {
            all.add("It was ended early: " + runs.size() + " of " + planned + " runs.");
        }
        return all;
    }

    @Override
    public boolean holds() {
        return flaws().isEmpty();
    }

    @Override
    public String text() {
        TextLines text = new TextLines();
        text.line("Suite %s%s", suite, quick ? ", quick: the figures say nothing" : "");
        text.line("");
        text.line(
                "%-20s %5s %9s %12s %12s %8s %7s %10s %10s %10s %10s %6s",
                "run",
                "trial",
                "answered",
                "tok/s of I/O",
                "tok/s",
                "hits %",
                "R:W",
                "read GiB/s",
                "wr. GiB/s",
                "dev.r. p95",
                "dev.w. p95",
                "CPU %");
        for (ReportedRun run : runs) {
            text.line("%s", row(run));
        }
        text.line("");
        text.line("The last tier's bandwidths and device times in ms; CPU of all processors, of the benchmark itself.");
        runs.stream()
                .filter(ReportedRun::clientWasTheLimit)
                .forEach(run -> text.line(
                        "%s, trial %d: the processors were the limit, these are figures of the client",
                        run.name(), run.trial()));
        flaws().forEach(flaw -> text.line("%s", "FAILED: " + flaw));
        return text.toString();
    }

    private static String row(ReportedRun run) {
        if (run.isEmpty()) {
            return TextLines.format("%-20s %5d %9s", run.name(), run.trial(), "none");
        }
        return TextLines.format(
                "%-20s %5d %9d %12.0f %12.0f %8.1f %7.1f %10.2f %10.2f %10.1f %10.1f %6.0f",
                run.name(),
                run.trial(),
                run.summary().path("total_requests").asLong(),
                run.storageThroughput(),
                run.summary().path("avg_throughput_tokens_per_sec").asDouble(),
                100 * run.stat("cache_hit_rate"),
                run.stat("read_write_ratio"),
                run.stat("tier_storage_read_bandwidth_gbps"),
                run.stat("tier_storage_write_bandwidth_gbps"),
                run.stat("storage_read_device_p95_ms"),
                run.stat("storage_write_device_p95_ms"),
                100 * run.summary().at("/kvstore/client/cpu_share").asDouble());
    }

    @Override
    public ReportPage page(String command) {
        List<Figure.Bar> throughput = new ArrayList<>();
        List<Figure.Bar> bandwidth = new ArrayList<>();
        for (ReportedRun run : runs) {
            String trial = "trial " + run.trial();
            double tokens = run.storageThroughput();
            throughput.add(new Figure.Bar(run.name(), trial, tokens, tokens, tokens));
            double read = run.stat("tier_storage_read_bandwidth_gbps");
            bandwidth.add(new Figure.Bar(run.name(), trial, read, read, read));
        }
        List<ReportPage.Section> sections = List.of(
                new ReportPage.Section(
                        "Throughput",
                        "",
                        List.of(new Figure.Bars("Tokens a second of storage time", "tokens/s", throughput))),
                new ReportPage.Section(
                        "Bandwidth", "", List.of(new Figure.Bars("Reads of the last tier", "GiB/s", bandwidth))),
                new ReportPage.Section("All of it as text", text(), List.of()));
        return new ReportPage(
                        "KV cache: suite " + suite,
                        command + ": " + runs.size() + " of " + planned + " runs" + (quick ? ", quick ones." : "."),
                        sections)
                .withFailures(flaws());
    }
}
