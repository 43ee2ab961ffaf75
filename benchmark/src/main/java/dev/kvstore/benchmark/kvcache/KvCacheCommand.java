package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.config.ConfigFile;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.GenerationMode;
import dev.kvstore.benchmark.kvcache.model.Model;
import dev.kvstore.benchmark.kvcache.model.Models;
import dev.kvstore.benchmark.kvcache.workload.Arrival;
import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Progress;
import dev.kvstore.launcher.Choice;
import dev.kvstore.launcher.Version;
import dev.kvstore.launcher.WritablePlace;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kv bench kv-cache}. */
@Command(
        name = "kv-cache",
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
    private static final String TRACE = "--io-trace-log";

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
            names = TRACE,
            paramLabel = "FILE",
            description = "Write what tiers would do to this CSV file; nothing is stored, and all tiers are null ones.")
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
                .registerConverter(GenerationMode.class, new Choice<>(GenerationMode.class))
                .registerConverter(StorageKind.class, new Choice<>(StorageKind.class))
                .registerConverter(Arrival.class, new Choice<>(Arrival.class))
                .registerConverter(WorkloadFlags.Profile.class, new Choice<>(WorkloadFlags.Profile.class))
                .registerConverter(LogLevel.class, new Choice<>(LogLevel.class));
    }

    @Override
    protected void check() {
        ConfigFile file = config();
        if (list) {
            return;
        }
        workload.check(file.config(), compat);
        tiers.check(file.config(), trace != null);
        services.check(tiers, System.getenv());
        require("--warmup", warmUp, 0, 3_600);
        require("--drain", drain, 0, 3_600);
        if (output != null) {
            WritablePlace.requireFile(OUTPUT, output);
        }
        if (trace != null) {
            if (trace.toString().endsWith(".zst")) {
                throw new IllegalArgumentException(TRACE + ": is written as plain CSV; name a file without .zst");
            }
            WritablePlace.requireFile(TRACE, trace);
        }
    }

    private ConfigFile config() {
        return configFile == null
                ? new ConfigFile(WorkloadConfig.usual(), List.of())
                : ConfigFile.read(configFile, compat);
    }

    @Override
    protected BenchReport measure(Progress progress) throws IOException, InterruptedException {
        ConfigFile file = config();
        if (list) {
            return new ModelList(file.config().models());
        }
        Progress told = logLevel.compareTo(LogLevel.INFO) <= 0 ? progress : new Progress(_ -> {}, Clock.systemUTC());
        if (!file.withoutEffect().isEmpty()) {
            told.accept("without effect: " + String.join(", ", file.withoutEffect()));
        }
        if (compat && workload.rate > 0) {
            told.accept("without effect: --request-rate, as in the original");
        }
        if (compat && named("--gpu-mem-gb") && !tiers.has(TierName.GPU_SIM) && tiers.gpuGib > 0) {
            told.accept("without effect: --gpu-mem-gb; there is no GPU, and --tiers names no gpu-sim");
        }
        KvCacheOptions options =
                new KvCacheOptions(workload, tiers, services, file.config(), compat, warmUp, drain, trace);
        KvCacheReport report = new KvCacheRun(options, told, Clock.systemUTC()).run();
        Path to = output == null
                ? Path.of("benchmark_results_" + NAME.format(LocalDateTime.now(Clock.system(ZoneId.systemDefault())))
                        + ".json")
                : output;
        report.write(to);
        told.accept("the original's JSON is in " + to);
        return report;
    }

    /** What {@code --list-models} prints. */
    record ModelList(Map<String, Model> models) implements BenchReport {
        @Override
        public String text() {
            return Models.table(models);
        }
    }
}
