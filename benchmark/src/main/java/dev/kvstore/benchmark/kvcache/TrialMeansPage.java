package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.device.FioBandwidth;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The means of complete trials as sections of a page.
 *
 * @param runs by rank
 * @param fio the disk's own bandwidth; null if it is not known
 */
record TrialMeansPage(List<TrialMeans> runs, @Nullable FioBandwidth fio) {
    private static final String STATS = "/cache_stats/";
    private static final Column<TrialMeans> NAME = Column.of("run", TrialMeans::name);
    private static final List<Column<TrialMeans>> THROUGHPUT = List.of(
            NAME,
            Column.of("trials", run -> run.complete().size() + " of " + run.trials()),
            Column.of("tokens/s of I/O", TrialMeansPage::throughput),
            Column.of("CV", "%", run -> 100 * run.deviation() / run.mean(TrialMeans.TOKENS)));
    private static final Column<TrialMeans> RANK = Column.of("rank", run -> run.rank() == 0 ? null : run.rank());
    private static final Column<TrialMeans> SPEED_UP = Column.of("times the last tier alone", TrialMeans::speedUp);
    private static final List<Column<TrialMeans>> LATENCIES = List.of(
            NAME,
            mean("p50", "ms", "/end_to_end_latency_ms/p50"),
            mean("p95", "ms", "/end_to_end_latency_ms/p95"),
            mean("p99", "ms", "/end_to_end_latency_ms/p99"),
            entries(Slot.GPU),
            entries(Slot.CPU),
            entries(Slot.STORAGE));

    TrialMeansPage {
        runs = List.copyOf(runs);
    }

    private static Column<TrialMeans> mean(String name, String unit, String pointer) {
        return Column.of(name, unit, run -> run.mean(pointer));
    }

    private static String throughput(TrialMeans run) {
        return run.complete().size() < 2
                ? Numbers.text(run.mean(TrialMeans.TOKENS))
                : Numbers.text(run.mean(TrialMeans.TOKENS)) + " \u00b1 " + Numbers.text(run.deviation());
    }

    /** The share of all entries that a tier holds in the end. */
    private static Column<TrialMeans> entries(Slot slot) {
        return Column.of("in " + slot, "%", run -> {
            double all = 0;
            for (Slot each : Slot.values()) {
                all += run.mean(STATS + each + "_entries");
            }
            return 100 * run.mean(STATS + slot + "_entries") / Math.max(1, all);
        });
    }

    List<Section> sections() {
        boolean ranked = runs.stream().anyMatch(run -> run.rank() > 0);
        List<Column<TrialMeans>> throughput = new ArrayList<>(THROUGHPUT);
        if (ranked) {
            throughput.addFirst(RANK);
            throughput.add(SPEED_UP);
        }
        List<Section> sections = new ArrayList<>(List.of(
                new Section(
                        "Means of complete trials",
                        "Tokens of answers for each second of reading and writing: mean, standard deviation over these"
                                + " trials, and the deviation as a share of the mean (CV)."
                                + (ranked ? "" : " These runs have different loads, so they are not ranked."),
                        List.of(Figure.Table.of("", throughput, runs), bars())),
                new Section(
                        "Latency from end to end, and where entries lie in the end",
                        "",
                        List.of(Figure.Table.of("", LATENCIES, runs))),
                new Section("Bytes by tier, in GiB", "", List.of(Figure.Table.of("", volumes(), runs))),
                new Section("95th percentiles by tier, in ms", "", List.of(Figure.Table.of("", percentiles(), runs))),
                new Section(
                        "Does the time of an access agree?",
                        "Reads and writes of whole entries. Where each request makes as many of them in each run, a"
                                + " run is as much slower by access as it is by tokens.",
                        List.of(Figure.Table.of("", accesses(), runs)))));
        FioBandwidth disk = fio;
        List<TrialMeans> ofDisk = runs.stream().filter(TrialMeans::isOfDisk).toList();
        if (disk != null) {
            String text =
                    "fio reads %.2f and writes %.2f GiB/s here, without a pause. A run asks as its users do, so its"
                                    .formatted(disk.readGibPerSecond(), disk.writeGibPerSecond())
                            + " share says how busy the disk was, not how good it is.";
            sections.add(new Section(
                    "The disk's bandwidth, against fio", text, List.of(Figure.Table.of("", efficiency(disk), ofDisk))));
        }
        return sections;
    }

    private Figure bars() {
        List<TrialMeans> measured =
                runs.stream().filter(run -> !run.complete().isEmpty()).toList();
        return Figure.Bars.of("Tokens a second of storage time", "tokens/s", measured, run -> {
            double mean = run.mean(TrialMeans.TOKENS);
            double deviation = run.complete().size() < 2 ? 0 : run.deviation();
            return new Figure.Bar(run.name(), "mean", mean, mean - deviation, mean + deviation);
        });
    }

    private static List<Column<TrialMeans>> volumes() {
        List<Column<TrialMeans>> columns = new ArrayList<>(List.of(NAME));
        for (Slot slot : Slot.values()) {
            String of = STATS + "tier_" + slot + "_kv_bytes_";
            columns.add(mean(slot + " read", "", of + "read_gb"));
            columns.add(mean("written", "", of + "written_gb"));
            columns.add(Column.of("R:W", run -> run.mean(of + "read_gb") / run.mean(of + "written_gb")));
        }
        return columns;
    }

    private static List<Column<TrialMeans>> percentiles() {
        List<Column<TrialMeans>> columns = new ArrayList<>(List.of(NAME));
        for (Slot slot : Slot.values()) {
            for (String way : List.of("read", "write")) {
                String name = String.format(Locale.ROOT, "%s %s", slot, way);
                columns.add(mean(name, "", STATS + slot + "_" + way + "_p95_ms"));
            }
        }
        return columns;
    }

    private List<Column<TrialMeans>> accesses() {
        double fastestAccess = runs.stream()
                .mapToDouble(TrialMeans::accessMillis)
                .filter(Double::isFinite)
                .min()
                .orElse(Double.NaN);
        double mostTokens = runs.stream()
                .mapToDouble(run -> run.mean(TrialMeans.TOKENS))
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
        return List.of(
                NAME,
                mean("accesses", "", "/kvstore/accesses/count"),
                mean("time of all", "s", "/kvstore/accesses/seconds"),
                Column.of("an access", "ms", TrialMeans::accessMillis),
                Column.of("times as slow by access", run -> run.accessMillis() / fastestAccess),
                Column.of("by tokens", run -> mostTokens / run.mean(TrialMeans.TOKENS)));
    }

    private static List<Column<TrialMeans>> efficiency(FioBandwidth disk) {
        String of = STATS + "tier_storage_";
        return List.of(
                NAME,
                mean("read", "GiB/s", of + "read_bandwidth_gbps"),
                Column.of("of fio's", "%", run -> 100 * run.mean(of + "read_bandwidth_gbps") / disk.readGibPerSecond()),
                mean("written", "GiB/s", of + "write_bandwidth_gbps"),
                Column.of(
                        "of fio's",
                        "%",
                        run -> 100 * run.mean(of + "write_bandwidth_gbps") / disk.writeGibPerSecond()));
    }
}
