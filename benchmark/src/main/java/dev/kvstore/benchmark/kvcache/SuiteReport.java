package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.device.FioBandwidth;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.ReportPage.Section;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a suite beside each other.
 *
 * @param quick whether its figures say nothing
 * @param planned how many runs there should be
 * @param fio the disk's own bandwidth; null if it is not known
 * @param submission of mlperf, its summary; null of the others
 */
record SuiteReport(
        Suite suite,
        boolean quick,
        int planned,
        List<ReportedRun> runs,
        @Nullable FioBandwidth fio,
        @Nullable JsonNode submission)
        implements BenchReport {
    private static final String READ = "/cache_stats/tier_storage_read_bandwidth_gbps";
    private static final List<Column<ReportedRun>> COLUMNS = List.of(
            Column.of("run", ReportedRun::name),
            Column.of("trial", ReportedRun::trial),
            Column.of("answered", ReportedRun::answered),
            figure("tok/s of I/O", TrialMeans.TOKENS, 1),
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

        String lastTier() {
            JsonNode tiers = summary.at("/kvstore/tiers");
            return tiers.path(tiers.size() - 1).asText();
        }

        /** Whether no request was answered; then there are no figures. */
        private boolean isEmpty() {
            return figure("/total_requests") == 0;
        }

        /** Whether nothing failed, and all requests that were wanted were answered. */
        boolean isComplete() {
            return flaws.isEmpty() && !isEmpty() && figure("/total_requests") >= figure("/kvstore/max_requests");
        }

        /** The number of answered requests, as {@code 18 of 100} where the run wanted more. */
        Object answered() {
            long answered = summary.path("total_requests").asLong();
            long wanted = summary.at("/kvstore/max_requests").asLong();
            return isEmpty() ? "none" : answered < wanted ? answered + " of " + wanted : answered;
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

    /**
     * Paragraphs: the disks and services below the last tiers, the answers of autoscalers, and the runs whose figures are
     * not those of a tier.
     */
    static String notes(List<ReportedRun> runs) {
        Set<String> notes = new LinkedHashSet<>();
        // Free space differs from run to run.
        runs.stream()
                .filter(run -> notes.isEmpty())
                .forEach(run -> run.summary()
                        .at("/kvstore/services")
                        .forEach(service -> notes.add("Below the last tier: " + service.asText() + ".")));
        for (ReportedRun run : runs) {
            String subject = run.name() + ", trial " + run.trial() + ":";
            String capacity = ScalingSection.answer(run.summary());
            if (!capacity.isEmpty()) {
                notes.add(subject + capacity);
            }
            if (run.summary().at("/kvstore/client/was_the_limit").asBoolean()) {
                notes.add(subject + " the processors were the limit, these are figures of the client");
            }
        }
        return String.join("\n\n", notes);
    }

    @Override
    public List<String> failures() {
        return flaws(runs, planned);
    }

    @Override
    public ReportPage page(String command) {
        String note =
                "The last tier's bandwidths and device times in ms; CPU of all processors, of the benchmark itself.";
        List<Figure> figures = List.of(Figure.Table.of("", COLUMNS, runs), bars("Reads of the last tier", "GiB/s"));
        List<Section> sections =
                new ArrayList<>(List.of(new Section("Runs", (note + "\n\n" + notes(runs)).strip(), figures)));
        sections.addAll(new TrialMeansPage(TrialMeans.of(runs, suite.baseline()), fio).sections());
        return new ReportPage(
                "KV cache: suite " + suite,
                "Suite %s: %d of %d runs%s.%s"
                        .formatted(
                                suite,
                                runs.size(),
                                planned,
                                quick ? ", quick: the figures say nothing" : "",
                                discarded()),
                sections);
    }

    /** The trials that no mean has; empty if there are none. */
    private String discarded() {
        String trials = runs.stream()
                .filter(run -> !run.isComplete())
                .map(run -> "%s, trial %d (%s)".formatted(run.name(), run.trial(), run.answered()))
                .collect(Collectors.joining("; "));
        return trials.isEmpty() ? "" : " Left out of the means, since requests are missing: " + trials + ".";
    }

    private Figure bars(String caption, String unit) {
        return Figure.Bars.of(
                caption, unit, runs, run -> Figure.Bar.of(run.name(), "trial " + run.trial(), run.figure(READ)));
    }
}
