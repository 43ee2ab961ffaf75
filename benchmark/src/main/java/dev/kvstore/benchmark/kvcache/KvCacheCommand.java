package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.KvCacheFlags.LogLevel;
import dev.kvstore.benchmark.kvcache.KvCacheFlags.Profile;
import dev.kvstore.benchmark.kvcache.config.ConfigFile;
import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.YamlResource;
import dev.kvstore.benchmark.kvcache.device.FioBandwidth;
import dev.kvstore.benchmark.kvcache.result.Spreadsheet;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.peers.PeerProgram;
import dev.kvstore.benchmark.peers.Programs;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.launcher.CommandLines;
import dev.kvstore.settings.FirstFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

/** {@code kv bench kv-cache}, whose flags {@link FlagSpecs} adds; {@code flags.properties} has what they do. */
@FirstFlags({
    "--model",
    "--num-users",
    "--duration",
    "--tiers",
    "--cpu-mem-gb",
    "--gpu-mem-gb",
    "--cache-dir",
    "--block-tokens",
    "--arrival",
    "--request-rate",
    "--generation-mode",
    "--seed",
    "--compat",
    "--list-models",
    "--config",
    "--output",
    "--json",
    "--report",
    "--suite"
})
@Command(
        name = "kv-cache",
        header = "The workload of MLPerf Storage's KV-cache benchmark, with its flags and its JSON.",
        description =
                "The workload of MLPerf Storage's KV-cache benchmark (kv-cache.py) with its flags and its JSON, over memory, a disk,"
                        + " KV Store or a blob endpoint. Counted honestly: apart from warm-up and drain, errors as errors, every request that was meant"
                        + " to arrive accounted for; with --compat as the original counts. Exit code 1 if a tier failed or gave"
                        + " wrong bytes, or if the run was ended early.",
        modelTransformer = FlagSpecs.class,
        resourceBundle = "dev.kvstore.benchmark.kvcache.flags")
public final class KvCacheCommand extends BenchCommand {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd_HHmmss", Locale.ROOT);

    /** Flags that are about all runs of several together. */
    private static final List<String> OF_ALL = List.of(
            "--json",
            "--report",
            "--results-dir",
            "--rates",
            "--suite",
            "--workloads",
            "--quick",
            "--trials",
            "--pause",
            "--ranks");

    private @Nullable KvCacheFlags flags;
    private @Nullable ConfigFile file;
    private @Nullable SuiteMachine machine;

    /** The command with the flags, of which a later one stands over an earlier one. */
    static KvCacheCommand parsed(List<String> flags) {
        KvCacheCommand command = new KvCacheCommand();
        line(command).parseArgs(flags.toArray(String[]::new));
        return command;
    }

    static CommandLine line(KvCacheCommand command) {
        return CommandLines.of(command).setOverwrittenOptionsAllowed(true);
    }

    /** The flags, once they were parsed. */
    KvCacheFlags flags() {
        if (flags == null) {
            flags = FlagSpecs.read(spec());
        }
        return flags;
    }

    /** The config file, which is read once. */
    private ConfigFile file() {
        if (file == null) {
            file = flags().config() == null
                    ? new ConfigFile(WorkloadConfig.usual(), List.of())
                    : ConfigFile.read(flags().config(), flags().compat());
        }
        return file;
    }

    @Override
    protected void check() {
        FlagCheck check = new FlagCheck(spec(), flags(), file().config());
        if (flags().listModels()) {
            return;
        }
        check.table();
        if (flags().suite() != null) {
            check.suite(flags().suite());
            runner(Path.of("")).check();
        } else if (!flags().rates().isEmpty()) {
            runner(Path.of("")).check();
        } else {
            check.run();
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        KvCacheFlags flags = flags();
        Suite suite = flags.suite();
        if (flags.listModels()) {
            return new ModelList(file().config().models());
        }
        String dateTime = NAME.format(LocalDateTime.now(Clock.system(ZoneId.systemDefault())));
        BenchProgress told = flags.logLevel().compareTo(LogLevel.INFO) <= 0 ? progress : silent();
        if (suite == null && flags.rates().isEmpty()) {
            Path usual = Path.of("benchmark_results_" + dateTime + ".json");
            return runOnce(told, flags.output() == null ? usual : flags.output());
        }
        Path folder = flags.resultsDir() == null
                ? Path.of("kv-cache-" + (suite == null ? "rates" : suite) + "_" + dateTime)
                : flags.resultsDir();
        SuiteRunner runner = runner(folder);
        if (suite == Suite.WRAPPER) {
            told.accept(machine().sentence());
        }
        FioBandwidth fio = suite != null && runner.usesDisk() ? fio(told) : null;
        List<SuiteReport.ReportedRun> runs = runner.run(told, dateTime);
        if (suite == null) {
            return RateReport.of(flags.rates().size(), runs);
        }
        ObjectNode submission = null;
        if (suite == Suite.MLPERF) {
            submission = MlperfSummary.of(runs, flags.ranks(), trials(suite), dateTime);
            Files.writeString(
                    folder.resolve("kvcache_run_summary_" + dateTime + ".json"), submission.toPrettyString() + "\n");
        }
        return new SuiteReport(suite, flags.quick(), runner.planned().size() * flags.ranks(), runs, fio, submission);
    }

    /** The disk by fio; null if it is not installed. */
    private @Nullable FioBandwidth fio(BenchProgress told) throws IOException, InterruptedException {
        Path fio = Programs.ofThisMachine().paths().get(PeerProgram.FIO);
        if (fio == null) {
            told.accept("fio is not installed, so the disk's own bandwidth is not known");
            return null;
        }
        Duration each = flags().quick() ? Duration.ofSeconds(2) : Duration.ofSeconds(10);
        told.accept("the disk's own bandwidth by fio, twice " + each.toSeconds() + " s");
        return FioBandwidth.of(fio, folder(), each);
    }

    /** The folder that runs of a suite measure. */
    private Path folder() {
        boolean found = flags().suite() == Suite.WRAPPER && !named("--cache-dir");
        return found ? SuiteMachine.fastestFolder(flags().folder()) : flags().folder();
    }

    private SuiteMachine machine() {
        if (machine == null) {
            machine = SuiteMachine.current();
        }
        return machine;
    }

    static BenchProgress silent() {
        return new BenchProgress(_ -> {}, Clock.systemUTC());
    }

    /** One run, whose flags were checked; its JSON goes to the file. */
    KvCacheReport runOnce(BenchProgress told, Path to) throws IOException, InterruptedException {
        KvCacheFlags flags = flags();
        List<String> withoutEffect = new ArrayList<>(file().withoutEffect());
        if (flags.compat() && flags.requestRate() > 0 && flags.datasetPath() == null) {
            withoutEffect.add("--request-rate, as in the original");
        }
        if (!withoutEffect.isEmpty()) {
            told.accept("without effect: " + String.join(", ", withoutEffect));
        }
        KvCacheReport report = new KvCacheRun(flags, file().config(), told, Clock.systemUTC()).run();
        Files.writeString(to, report.results().toPrettyString() + "\n");
        if (flags.xlsxOutput() != null) {
            boolean throughput = flags.performanceProfile() == Profile.THROUGHPUT;
            new Spreadsheet(parameters(), report.results(), throughput).write(flags.xlsxOutput());
        }
        told.accept("the original's JSON is in " + to);
        return report;
    }

    /** The flags of a run as the original's spreadsheet names them. */
    private Map<String, @Nullable Object> parameters() {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("Timestamp", TIME.format(LocalDateTime.now(Clock.system(ZoneId.systemDefault()))));
        YamlResource.read(KvCacheCommand.class, "parameters.yaml").properties().forEach(parameter -> {
            String flag = parameter.getValue().asText();
            Object value = spec().findOption(flag).getValue();
            if (value instanceof Enum<?> mode) {
                value = mode.name().toLowerCase(Locale.ROOT);
            }
            all.put(parameter.getKey(), flag.startsWith("--disable") ? Boolean.FALSE.equals(value) : value);
        });
        all.put("Total GPU Memory (GiB)", flags().gpuMemGb() * flags().numGpus());
        all.put("Precondition Threads", flags().threads());
        all.putIfAbsent("Dataset Path", "N/A");
        all.putIfAbsent("Cache Dir", "temp");
        return all;
    }

    private int trials(Suite of) {
        return flags().trials() > 0 ? flags().trials() : flags().quick() ? 1 : of.usualTrials();
    }

    /** Does the runs of the suite, or those of all rates. */
    private SuiteRunner runner(Path folder) {
        KvCacheFlags flags = flags();
        Suite suite = flags.suite();
        if (suite == null) {
            ArrivalProcess arrival = flags.arrival() == ArrivalProcess.USERS ? ArrivalProcess.POISSON : flags.arrival();
            List<Suite.SuiteRun> runs = RateReport.runs(flags.rates(), arrival);
            return new SuiteRunner(runs, folder, 0, 1, given("--arrival"), Suite.DISK);
        }
        List<String> given = given("--tiers");
        if (suite == Suite.WRAPPER && !named("--cache-dir")) {
            given.add("--cache-dir=" + folder());
        }
        return new SuiteRunner(
                suite.runs(flags.quick(), machine(), trials(suite), flags.workloads()),
                folder,
                flags.pause() >= 0 ? flags.pause() : flags.quick() ? 0 : suite.usualPauseSeconds(),
                flags.ranks(),
                given,
                named("--tiers") ? flags.tierNames() : Suite.DISK);
    }

    /**
     * The flags that the caller named, for each run of several: without the flags of the whole, and without one more.
     */
    private List<String> given(String butFor) {
        List<String> all = new ArrayList<>();
        for (OptionSpec option : spec().commandLine().getParseResult().matchedOptions()) {
            String name = option.longestName();
            if (OF_ALL.contains(name) || name.equals(butFor)) {
                continue;
            }
            if (option.arity().max() == 0) {
                all.add(name);
            } else {
                option.originalStringValues().forEach(value -> all.add(name + "=" + value));
            }
        }
        if (!named("--seed")) {
            all.add("--seed=42");
        }
        return all;
    }

    /** The output of {@code --list-models}. */
    record ModelList(Map<String, Model> models) implements BenchReport {
        private static final List<Column<Map.Entry<String, Model>>> COLUMNS = List.of(
                Column.of("model", Map.Entry::getKey),
                Column.of("a token", "bytes", model -> model.getValue().bytesPerToken()),
                tokens(1_024),
                tokens(8_192),
                tokens(25_000));

        private static Column<Map.Entry<String, Model>> tokens(int context) {
            double mebibyte = 1 << 20;
            return Column.of(
                    context + " tokens", "MiB", model -> model.getValue().entryBytes(context, 1) / mebibyte);
        }

        @Override
        public ReportPage page(String command) {
            Figure table = Figure.Table.of("", COLUMNS, models.entrySet());
            return new ReportPage("Models", "", List.of(new ReportPage.Section("Memory", "", List.of(table))));
        }
    }
}
