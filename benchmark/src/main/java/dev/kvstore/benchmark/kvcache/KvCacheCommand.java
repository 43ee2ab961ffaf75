package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.GenerationMode;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.result.Spreadsheet;
import dev.kvstore.benchmark.kvcache.suite.MlperfSummary;
import dev.kvstore.benchmark.kvcache.suite.RateSweep;
import dev.kvstore.benchmark.kvcache.suite.Suite;
import dev.kvstore.benchmark.kvcache.suite.SuiteRun;
import dev.kvstore.benchmark.kvcache.suite.SuiteSize;
import dev.kvstore.benchmark.kvcache.tier.Tiering;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.launcher.Launcher;
import dev.kvstore.launcher.Version;
import dev.kvstore.settings.FirstFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code kv bench kv-cache}; {@code flags.properties} has what its flags do. */
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
        resourceBundle = "dev.kvstore.benchmark.kvcache.flags",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class KvCacheCommand extends BenchCommand {
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd_HHmmss", Locale.ROOT);

    /** Flags of the reports, which are about all runs of several together. */
    private static final List<String> OF_ALL = List.of("--json", "--report", "--results-dir", "--rates");

    @Option(names = "--list-models")
    private boolean list;

    @Mixin
    private final KvCacheFlags flags = new KvCacheFlags();

    @Mixin
    private final SuiteFlags suites = new SuiteFlags();

    @Option(names = "--log-level", paramLabel = "LEVEL")
    private LogLevel logLevel = LogLevel.INFO;

    /** The names of Python's levels. */
    enum LogLevel {
        DEBUG,
        INFO,
        WARNING,
        ERROR,
        CRITICAL
    }

    /** Adds how names of its flags' values are read; the same command line. */
    public static CommandLine converters(CommandLine line) {
        return line.registerConverter(TierName.class, named(TierName.class))
                .registerConverter(GenerationMode.class, named(GenerationMode.class))
                .registerConverter(ScaleFlags.Mode.class, named(ScaleFlags.Mode.class))
                .registerConverter(Tiering.class, named(Tiering.class))
                .registerConverter(Suite.class, named(Suite.class))
                .registerConverter(ArrivalProcess.class, named(ArrivalProcess.class))
                .registerConverter(WorkloadFlags.Profile.class, named(WorkloadFlags.Profile.class))
                .registerConverter(LogLevel.class, named(LogLevel.class));
    }

    /** Reads one of an enum's constants by its text, in lower or upper case. */
    private static <E extends Enum<E>> ITypeConverter<E> named(Class<E> type) {
        List<E> all = Arrays.asList(type.getEnumConstants());
        return text -> all.stream()
                .filter(one -> one.toString().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("must be "
                        + String.join(" or ", all.stream().map(Enum::toString).toList()) + ", not '" + text + "'"));
    }

    @Override
    protected void check() {
        flags.file();
        if (list) {
            return;
        }
        suites.check();
        if (suites.suite != null) {
            checkSuite(suites.suite);
        } else if (!suites.rates.isEmpty()) {
            for (String flag : List.of(
                    "--request-rate",
                    KvCacheFlags.OUTPUT,
                    KvCacheFlags.SPREADSHEET,
                    KvCacheFlags.TRACE,
                    KvCacheFlags.DEVICE,
                    KvCacheFlags.VALIDATION,
                    "--compat")) {
                FlagCheck.refuseIf(named(flag), flag + ": cannot be with --rates; leave one of the two out");
            }
            sweep(Path.of("")).check();
        } else {
            for (String flag : SuiteFlags.OWN) {
                FlagCheck.refuseIf(named(flag), flag + ": needs --suite, whose runs it is about");
            }
            flags.check();
        }
    }

    private void checkSuite(Suite suite) {
        String decides = ": the suite " + suite + " decides on it; leave it out";
        for (String flag : SuiteFlags.DECIDED) {
            FlagCheck.refuseIf(named(flag), flag + decides);
        }
        for (String flag : List.of(KvCacheFlags.DEVICE, KvCacheFlags.VALIDATION)) {
            FlagCheck.refuseIf(named(flag), flag + ": is of a single run; leave it or --suite out");
        }
        FlagCheck.refuseIf(
                suite == Suite.SEED_002 && flags.configFile != null,
                "--config: the suite " + suite + " has its own; leave it out");
        FlagCheck.refuseIf(suite == Suite.SMOKE && flags.compat, "--compat" + decides);
        List<TierName> tiers = flags.tiers.tiers;
        FlagCheck.refuseIf(
                named("--tiers") && (tiers.size() != 1 || tiers.getFirst().slot != Slot.STORAGE),
                "--tiers: of a suite its last tier alone may be named, disk, kvstore, object or null; not "
                        + flags.tiers.names());
        runner(suite, planned(suite), Path.of("")).check();
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        if (list) {
            return new ModelList(flags.config().models());
        }
        String dateTime = NAME.format(LocalDateTime.now(Clock.system(ZoneId.systemDefault())));
        BenchProgress told =
                logLevel.compareTo(LogLevel.INFO) <= 0 ? progress : new BenchProgress(_ -> {}, Clock.systemUTC());
        if (suites.suite != null) {
            return suite(suites.suite, told, dateTime);
        }
        if (!suites.rates.isEmpty()) {
            SuiteRunner runner = sweep(folder("rates", dateTime));
            return RateReport.of(suites.rates.size(), runner.run(told, dateTime));
        }
        return runOnce(told, flags.output == null ? Path.of("benchmark_results_" + dateTime + ".json") : flags.output);
    }

    /** Makes it one of several clients: with a seed and a folder of its own. Once, after its flags were parsed. */
    void become(int rank) {
        flags.workload.seed = (flags.workload.seed == null ? 0 : flags.workload.seed) + rank;
        flags.tiers.folder = flags.tiers.folder().resolve("rank_" + rank);
    }

    /** The memory of its cpu tier, in bytes; 0 if it has none. */
    double memoryBytes() {
        return flags.tiers.has(TierName.CPU) ? flags.tiers.cpuBytes() : 0;
    }

    /** One run, whose flags were checked; its JSON goes to the file. */
    KvCacheReport runOnce(BenchProgress told, Path to) throws IOException, InterruptedException {
        List<String> withoutEffect = flags.file().withoutEffect();
        if (!withoutEffect.isEmpty()) {
            told.accept("without effect: " + String.join(", ", withoutEffect));
        }
        if (flags.compat && flags.workload.rate > 0 && flags.requests.dataset == null) {
            told.accept("without effect: --request-rate, as in the original");
        }
        if (flags.compat && named("--gpu-mem-gb") && !flags.tiers.has(TierName.GPU_SIM) && flags.tiers.gpuGib > 0) {
            told.accept("without effect: --gpu-mem-gb; there is no GPU, and --tiers names no gpu-sim");
        }
        KvCacheReport report = new KvCacheRun(flags, told, Clock.systemUTC()).run();
        Files.writeString(to, report.results().toPrettyString() + "\n");
        if (flags.spreadsheet != null) {
            boolean throughput = flags.workload.profile == WorkloadFlags.Profile.THROUGHPUT;
            new Spreadsheet(RunParameters.of(flags), report.results(), throughput).write(flags.spreadsheet);
        }
        told.accept("the original's JSON is in " + to);
        return report;
    }

    private SuiteReport suite(Suite suite, BenchProgress told, String dateTime)
            throws IOException, InterruptedException {
        Path folder = folder(suite.toString(), dateTime);
        List<SuiteRun> planned = planned(suite);
        List<SuiteReport.ReportedRun> runs = runner(suite, planned, folder).run(told, dateTime);
        ObjectNode submission = null;
        if (suite == Suite.MLPERF) {
            MlperfSummary summary = new MlperfSummary(suites.ranks);
            runs.forEach(run -> summary.add(run.name(), run.trial(), run.summary(), run.file()));
            submission = summary.json(dateTime, suites.trials(suite));
            Files.writeString(
                    folder.resolve("kvcache_run_summary_" + dateTime + ".json"), submission.toPrettyString() + "\n");
        }
        return new SuiteReport(suite, suites.quick, planned.size() * suites.ranks, runs, submission);
    }

    private Path folder(String name, String dateTime) {
        return suites.results == null ? Path.of("kv-cache-" + name + "_" + dateTime) : suites.results;
    }

    private List<SuiteRun> planned(Suite suite) {
        double memory = (double) MachineMemory.availableBytes() / (1L << 30);
        return suite.runs(new SuiteSize(suites.quick, memory, suites.trials(suite)));
    }

    private SuiteRunner runner(Suite suite, List<SuiteRun> planned, Path folder) {
        String lastTier = named("--tiers") ? flags.tiers.names() : Suite.DISK;
        return new SuiteRunner(planned, folder, suites.pauseSeconds(suite), suites.ranks, given("--tiers"), lastTier);
    }

    private SuiteRunner sweep(Path folder) {
        ArrivalProcess arrival =
                flags.workload.arrival == ArrivalProcess.USERS ? ArrivalProcess.POISSON : flags.workload.arrival;
        List<SuiteRun> planned = RateSweep.runs(suites.rates, arrival.toString());
        return new SuiteRunner(planned, folder, 0, 1, given("--arrival"), Suite.DISK);
    }

    /**
     * The flags that the caller named, for each run of several: without the flags of the whole, and without one more.
     */
    private List<String> given(String butFor) {
        List<String> all = new ArrayList<>();
        for (OptionSpec option : spec().commandLine().getParseResult().matchedOptions()) {
            String name = option.longestName();
            if (SuiteFlags.OWN.contains(name) || OF_ALL.contains(name) || name.equals(butFor)) {
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

    static CommandLine line(KvCacheCommand command) {
        // A suite's flags stand first; the caller's flags come later and win.
        return converters(Launcher.commandLine(command)).setOverwrittenOptionsAllowed(true);
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
