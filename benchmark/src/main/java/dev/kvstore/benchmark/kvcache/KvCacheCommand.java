package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.config.ConfigFile;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.GenerationMode;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.model.Model;
import dev.kvstore.benchmark.kvcache.model.Models;
import dev.kvstore.benchmark.kvcache.policy.Tiering;
import dev.kvstore.benchmark.kvcache.result.Spreadsheet;
import dev.kvstore.benchmark.kvcache.suite.MlperfSummary;
import dev.kvstore.benchmark.kvcache.suite.RateSweep;
import dev.kvstore.benchmark.kvcache.suite.Suite;
import dev.kvstore.benchmark.kvcache.suite.SuiteRun;
import dev.kvstore.benchmark.kvcache.suite.SuiteSize;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.client.NewBlock;
import dev.kvstore.launcher.EnumConverter;
import dev.kvstore.launcher.Launcher;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.WritablePath;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code kv bench kv-cache}. */
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
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class KvCacheCommand extends BenchCommand {
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd_HHmmss", Locale.ROOT);
    private static final String OUTPUT = "--output";
    private static final String SPREADSHEET = "--xlsx-output";
    private static final String TRACE = "--io-trace-log";

    /** Flags of the reports, which are about all runs of several together. */
    private static final List<String> OF_ALL = List.of("--json", "--report", "--results-dir", "--rates");

    @Option(
            names = "--list-models",
            description = "List the models, and what a token takes of memory; measure nothing.")
    private boolean list;

    @Option(names = "--compat", description = "Count as the original does, its known faults with it.")
    private boolean compat;

    @Mixin
    private final WorkloadFlags workload = new WorkloadFlags();

    @Mixin
    private final TierFlags tiers = new TierFlags();

    @Mixin
    private final ServiceFlags services = new ServiceFlags();

    @Mixin
    private final BlockFlags blocks = new BlockFlags();

    @Mixin
    private final SuiteFlags suites = new SuiteFlags();

    @Mixin
    private final ScaleFlags scale = new ScaleFlags();

    @Mixin
    private final RequestFlags requests = new RequestFlags();

    @Mixin
    private final ObservationFlags observation = new ObservationFlags();

    @Option(
            names = "--warmup",
            paramLabel = "S",
            defaultValue = "5",
            description = "Seconds before the measurement, 0 to 3600; none with --compat. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--drain",
            paramLabel = "S",
            defaultValue = "10",
            description =
                    "Seconds after the measurement, 0 to 3600, in which requests that came before are still answered and"
                            + " counted as late. Default: ${DEFAULT-VALUE}.")
    private int drain;

    @Option(names = "--config", paramLabel = "FILE", description = "A config.yaml of the original.")
    private @Nullable Path configFile;

    @Option(
            names = OUTPUT,
            paramLabel = "FILE",
            description = "The JSON of the original. Default: benchmark_results_DATE_TIME.json here.")
    private @Nullable Path output;

    @Option(
            names = SPREADSHEET,
            paramLabel = "FILE",
            description =
                    "Flags and figures as an Excel workbook with the original's sheets, or its first sheet as .csv.")
    private @Nullable Path spreadsheet;

    @Option(
            names = TRACE,
            paramLabel = "FILE",
            description =
                    "Write what tiers would do to this CSV file, compressed if its name ends in .zst; nothing is stored, and all tiers are null ones.")
    private @Nullable Path trace;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "INFO",
            description =
                    "DEBUG or INFO tell what goes on; WARNING, ERROR and CRITICAL do not. Default: ${DEFAULT-VALUE}.")
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
        return line.registerConverter(TierName.class, TierName::of)
                .registerConverter(GenerationMode.class, new EnumConverter<>(GenerationMode.class))
                .registerConverter(ScaleFlags.Mode.class, new EnumConverter<>(ScaleFlags.Mode.class))
                .registerConverter(Tiering.class, KvCacheCommand::tiering)
                .registerConverter(Suite.class, KvCacheCommand::suite)
                .registerConverter(ArrivalProcess.class, new EnumConverter<>(ArrivalProcess.class))
                .registerConverter(WorkloadFlags.Profile.class, new EnumConverter<>(WorkloadFlags.Profile.class))
                .registerConverter(LogLevel.class, new EnumConverter<>(LogLevel.class));
    }

    private static Tiering tiering(String text) {
        for (Tiering tiering : Tiering.values()) {
            if (tiering.name().replace('_', '-').equalsIgnoreCase(text)) {
                return tiering;
            }
        }
        throw new TypeConversionException("must be waterfall, spillover or write-through, not '" + text + "'");
    }

    private static Suite suite(String text) {
        for (Suite suite : Suite.values()) {
            if (suite.toString().equalsIgnoreCase(text)) {
                return suite;
            }
        }
        throw new TypeConversionException("must be smoke, mlperf, seed-002 or wrapper, not '" + text + "'");
    }

    @Override
    protected void check() {
        ConfigFile file = config();
        if (list) {
            return;
        }
        suites.check();
        if (suites.suite != null) {
            checkSuite(suites.suite);
            return;
        }
        if (!suites.rates.isEmpty()) {
            checkRates();
            return;
        }
        for (String flag : SuiteFlags.OWN) {
            if (named(flag)) {
                throw new IllegalArgumentException(flag + ": needs --suite, whose runs it is about");
            }
        }
        workload.check(file.config(), compat);
        tiers.check(file.config(), trace != null);
        services.check(tiers, System.getenv());
        blocks.check(workload, tiers, compat);
        scale.check(workload);
        requests.check(workload, scale, blocks, file.config(), compat);
        requireBlocksFit(file.config());
        require("--warmup", warmUp, 0, 3_600);
        require("--drain", drain, 0, 3_600);
        if (output != null) {
            WritablePath.requireFile(OUTPUT, output);
        }
        if (spreadsheet != null) {
            if (!spreadsheet.toString().matches(".*\\.(xlsx|csv)")) {
                throw new IllegalArgumentException(SPREADSHEET + ": must end in .xlsx or .csv, not " + spreadsheet);
            }
            WritablePath.requireFile(SPREADSHEET, spreadsheet);
        }
        if (trace != null) {
            WritablePath.requireFile(TRACE, trace);
        }
        observation.check(tiers, trace != null);
    }

    private void requireBlocksFit(WorkloadConfig config) {
        Model model = config.models().get(workload.model);
        if (blocks.on() && tiers.has(TierName.KVSTORE) && model != null) {
            long bytes = model.entryBytes(blocks.tokens, tiers.parallel);
            if (bytes > NewBlock.MAX_BUFFER_BYTES) {
                throw new IllegalArgumentException(
                        "--block-tokens: a block of %d tokens of %s has %d bytes; KV Store takes %d"
                                .formatted(blocks.tokens, workload.model, bytes, NewBlock.MAX_BUFFER_BYTES));
            }
        }
    }

    private ConfigFile config() {
        return configFile == null
                ? new ConfigFile(WorkloadConfig.usual(), List.of())
                : ConfigFile.read(configFile, compat);
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        if (list) {
            return new ModelList(config().config().models());
        }
        String dateTime = NAME.format(LocalDateTime.now(Clock.system(ZoneId.systemDefault())));
        BenchProgress told =
                logLevel.compareTo(LogLevel.INFO) <= 0 ? progress : new BenchProgress(_ -> {}, Clock.systemUTC());
        if (suites.suite != null) {
            return suite(suites.suite, told, dateTime);
        }
        if (!suites.rates.isEmpty()) {
            return RateReport.of(
                    suites.rates.size(), sweep(folder("rates", dateTime)).run(told, dateTime));
        }
        return runOnce(told, output == null ? Path.of("benchmark_results_" + dateTime + ".json") : output);
    }

    /** Makes it one of several clients: with a seed and a folder of its own. Once, after its flags were parsed. */
    void become(int rank) {
        workload.seed = (workload.seed == null ? 0 : workload.seed) + rank;
        tiers.folder = tiers.folder().resolve("rank_" + rank);
    }

    /** The memory of its cpu tier, in bytes; 0 if it has none. */
    double memoryBytes() {
        return tiers.has(TierName.CPU) ? tiers.cpuBytes() : 0;
    }

    /** One run, whose flags were checked; its JSON goes to the file. */
    KvCacheReport runOnce(BenchProgress told, Path to) throws IOException, InterruptedException {
        ConfigFile file = config();
        if (!file.withoutEffect().isEmpty()) {
            told.accept("without effect: " + String.join(", ", file.withoutEffect()));
        }
        if (compat && workload.rate > 0 && requests.dataset == null) {
            told.accept("without effect: --request-rate, as in the original");
        }
        if (compat && named("--gpu-mem-gb") && !tiers.has(TierName.GPU_SIM) && tiers.gpuGib > 0) {
            told.accept("without effect: --gpu-mem-gb; there is no GPU, and --tiers names no gpu-sim");
        }
        KvCacheOptions options = new KvCacheOptions(
                workload,
                tiers,
                services,
                blocks,
                scale,
                requests,
                observation,
                file.config(),
                compat,
                warmUp,
                drain,
                trace);
        KvCacheReport report = new KvCacheRun(options, told, Clock.systemUTC()).run();
        report.write(to);
        if (spreadsheet != null) {
            new Spreadsheet(
                            RunParameters.of(options),
                            report.results(),
                            workload.profile == WorkloadFlags.Profile.THROUGHPUT)
                    .write(spreadsheet);
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
        String lastTier = named("--tiers") ? tiers.names() : null;
        return new SuiteRunner(
                planned,
                folder,
                Duration.ofSeconds(suites.pauseSeconds(suite)),
                suites.ranks,
                new SuiteRunner.CallerFlags(given("--tiers"), lastTier),
                Clock.systemUTC());
    }

    private SuiteRunner sweep(Path folder) {
        String arrival = workload.arrival == ArrivalProcess.USERS
                ? "poisson"
                : workload.arrival.name().toLowerCase(Locale.ROOT);
        return new SuiteRunner(
                RateSweep.runs(suites.rates, arrival),
                folder,
                Duration.ZERO,
                1,
                new SuiteRunner.CallerFlags(given("--arrival"), null),
                Clock.systemUTC());
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

    private void checkRates() {
        for (String flag : List.of(
                "--request-rate",
                OUTPUT,
                SPREADSHEET,
                TRACE,
                ObservationFlags.DEVICE,
                ObservationFlags.VALIDATION,
                "--compat")) {
            if (named(flag)) {
                throw new IllegalArgumentException(flag + ": cannot be with --rates; leave one of the two out");
            }
        }
        sweep(Path.of("")).check();
    }

    private void checkSuite(Suite suite) {
        for (String flag : SuiteFlags.DECIDED) {
            if (named(flag)) {
                throw new IllegalArgumentException(flag + ": the suite " + suite + " decides on it; leave it out");
            }
        }
        for (String flag : List.of(ObservationFlags.DEVICE, ObservationFlags.VALIDATION)) {
            if (named(flag)) {
                throw new IllegalArgumentException(flag + ": is of a single run; leave it or --suite out");
            }
        }
        if (suite == Suite.SEED_002 && configFile != null) {
            throw new IllegalArgumentException("--config: the suite " + suite + " has its own; leave it out");
        }
        if (suite == Suite.SMOKE && compat) {
            throw new IllegalArgumentException("--compat: the suite " + suite + " decides on it; leave it out");
        }
        if (named("--tiers")
                && (tiers.tiers.size() != 1 || tiers.tiers.getFirst().slot() != Slot.STORAGE)) {
            throw new IllegalArgumentException(
                    "--tiers: of a suite its last tier alone may be named, disk, kvstore, object or null; not "
                            + tiers.names());
        }
        runner(suite, planned(suite), Path.of("")).check();
    }

    static CommandLine line(KvCacheCommand command) {
        // A suite's flags stand first; the caller's flags come later and win.
        return converters(Launcher.commandLine(command)).setOverwrittenOptionsAllowed(true);
    }

    /** The output of {@code --list-models}. */
    record ModelList(Map<String, Model> models) implements BenchReport {
        @Override
        public String text() {
            return Models.table(models);
        }
    }
}
