package dev.kvstore.benchmark.kvcache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.benchmark.kvcache.block.PrefillModel;
import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.GenerationMode;
import dev.kvstore.benchmark.kvcache.engine.RunPlan;
import dev.kvstore.benchmark.kvcache.engine.RunPlan.RequestPart;
import dev.kvstore.benchmark.kvcache.tier.Tiering;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.BpeTokenizer;
import dev.kvstore.benchmark.kvcache.workload.Dataset;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The flags, by their names: {@code numUsers} is {@code --num-users}. {@code flags.yaml} has their defaults and what they
 * may say, {@code flags.properties} what they do. Immutable.
 */
record KvCacheFlags(
        boolean listModels,
        LogLevel logLevel,
        boolean compat,
        String model,
        int numUsers,
        int duration,
        GenerationMode generationMode,
        Profile performanceProfile,
        boolean disableMultiTurn,
        boolean disablePrefixCaching,
        boolean prefillOnly,
        boolean decodeOnly,
        @Nullable Long seed,
        long maxRequests,
        ArrivalProcess arrival,
        double requestRate,
        List<TierName> tiers,
        Tiering tieringPolicy,
        double gpuMemGb,
        int numGpus,
        int tensorParallel,
        double gpuBandwidthGbs,
        long gpuLatencyUs,
        double cpuMemGb,
        double cpuBandwidthGbs,
        @Nullable Path cacheDir,
        double storageCapacityGb,
        int maxConcurrentAllocs,
        boolean precondition,
        double preconditionSizeGb,
        int preconditionThreads,
        List<String> target,
        String resource,
        @Nullable Path keyFile,
        @Nullable Path trust,
        boolean plaintext,
        StorageKind kvstoreStorage,
        @Nullable String blobContainer,
        @Nullable Path blobConnectionFile,
        int blockTokens,
        double prefillRate,
        int systemPromptTokens,
        boolean enableAutoscaling,
        ScaleMode autoscalerMode,
        double targetSaturation,
        int autoscalerInterval,
        boolean enableRag,
        int ragNumDocs,
        @Nullable Path datasetPath,
        int maxConversations,
        @Nullable Path tokenizer,
        boolean useBurstTrace,
        @Nullable String burstTracePath,
        double traceSpeedup,
        int replayCycles,
        boolean enableLatencyTracing,
        @Nullable Path validationTrace,
        int warmup,
        @Nullable Integer drain,
        @Nullable Path config,
        @Nullable Path output,
        @Nullable Path xlsxOutput,
        @Nullable Path ioTraceLog,
        @Nullable Suite suite,
        List<String> workloads,
        boolean quick,
        int trials,
        int pause,
        int ranks,
        @Nullable Path resultsDir,
        List<Double> rates) {
    static final double GIBIBYTE = 1L << 30;
    private static final String CONNECTION = "AZURE_STORAGE_CONNECTION_STRING";
    private static final int MOST_WORKERS = 500;
    private static final int DRAIN_SECONDS = 10;
    // The original waits so long for each of its threads.
    private static final int DRAIN_SECONDS_A_WORKER = 2;
    // Some 100 bytes each: requests that wait are bounded, as all queues are. The original's are not.
    private static final int MOST_WAITING = 1_000_000;

    /** The names of Python's levels. */
    enum LogLevel {
        DEBUG,
        INFO,
        WARNING,
        ERROR,
        CRITICAL
    }

    /** The targets that the tiers are judged by. */
    enum Profile {
        LATENCY,
        THROUGHPUT
    }

    /** The measures by which an autoscaler decides. */
    enum ScaleMode {
        QOS,
        CAPACITY
    }

    boolean has(TierName tier) {
        return tiers.contains(tier);
    }

    boolean inBlocks() {
        return blockTokens > 0;
    }

    /** The tiers' names as the command line has them. */
    String tierNames() {
        return String.join(",", tiers.stream().map(TierName::toString).toList());
    }

    /** A trace is of all three, as in the original. */
    List<TierName> tiersOfRun() {
        return ioTraceLog == null ? tiers : List.of(TierName.GPU_SIM, TierName.CPU, TierName.NULL);
    }

    /** Threads of the preparation. */
    int threads() {
        return preconditionThreads > 0
                ? preconditionThreads
                : Runtime.getRuntime().availableProcessors();
    }

    Path folder() {
        Path named = cacheDir == null ? Path.of(System.getProperty("java.io.tmpdir", "/tmp")) : cacheDir;
        return named.toAbsolutePath().normalize();
    }

    /** @throws IllegalArgumentException if there is no key */
    ServiceAccess access() {
        String key = ServiceAccess.key("--key-file", keyFile, System.getenv());
        String authorities = trust == null ? null : trust.toAbsolutePath().toString();
        return new ServiceAccess(target, resource, key, authorities, false, plaintext);
    }

    /** @throws IllegalArgumentException if there is no connection string */
    String connection() {
        try {
            String text = blobConnectionFile == null
                    ? System.getenv(CONNECTION)
                    : Files.readString(blobConnectionFile, UTF_8);
            if (text == null || text.isBlank()) {
                throw new IllegalArgumentException(
                        "--blob-connection-file: is missing; name the file with the connection string, or set "
                                + CONNECTION);
            }
            return text.strip();
        } catch (IOException e) {
            throw new IllegalArgumentException("--blob-connection-file: " + IoReason.withFile(e), e);
        }
    }

    /** @throws IllegalArgumentException if the config has no such model */
    Model model(WorkloadConfig in) {
        Model found = in.models().get(model);
        if (found == null) {
            throw new IllegalArgumentException("--model: there is no model " + model + "; there are "
                    + String.join(", ", new TreeSet<>(in.models().keySet())));
        }
        return found;
    }

    /** @throws IllegalArgumentException if dataset or tokenizer cannot be read */
    Dataset dataset(Path of, WorkloadConfig in) {
        BpeTokenizer counting = tokenizer == null ? null : BpeTokenizer.read(tokenizer);
        return Dataset.read(of, maxConversations, in.sharegpt(), counting, compat);
    }

    /** @throws IllegalArgumentException if nobody says how fast the model computes */
    PrefillModel prefill() {
        return prefillRate > 0 ? new PrefillModel(prefillRate) : PrefillModel.of(model);
    }

    /** The bytes of one block of a prompt. */
    long blockBytes(WorkloadConfig in) {
        return model(in).entryBytes(blockTokens, tensorParallel);
    }

    /** How many users there may be at once. */
    int mostUsers(WorkloadConfig in) {
        int scaled = enableAutoscaling ? Math.min(MOST_WORKERS, in.autoscaler().maxUsers()) : 0;
        return Math.max(numUsers, scaled);
    }

    /** Users of the run, and users that an autoscaler may add; as the original, those of the run alone. */
    int population(WorkloadConfig in) {
        return compat ? numUsers : mostUsers(in);
    }

    RunPlan plan(WorkloadConfig in) {
        int workers = Math.min(population(in), MOST_WORKERS);
        int usualDrain = compat ? DRAIN_SECONDS_A_WORKER * workers : DRAIN_SECONDS;
        return new RunPlan(
                workers,
                !compat,
                !disablePrefixCaching,
                prefillOnly ? RequestPart.PREFILL_ONLY : decodeOnly ? RequestPart.DECODE_ONLY : RequestPart.BOTH,
                Duration.ofSeconds(compat ? 0 : warmup),
                Duration.ofSeconds(duration),
                Duration.ofSeconds(drain == null ? usualDrain : drain),
                maxRequests,
                in.secondsPerToken(generationMode),
                MOST_WAITING,
                in);
    }
}
