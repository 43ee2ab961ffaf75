package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.config.ConfigFile;
import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.device.BlockDevice;
import dev.kvstore.benchmark.kvcache.device.DeviceTracer;
import dev.kvstore.benchmark.kvcache.engine.RunPlan;
import dev.kvstore.benchmark.kvcache.replay.ValidationTrace;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.client.NewBlock;
import dev.kvstore.launcher.WritablePath;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of a run, and what follows from them. For one thread. */
final class KvCacheFlags {
    static final String OUTPUT = "--output";
    static final String SPREADSHEET = "--xlsx-output";
    static final String TRACE = "--io-trace-log";
    static final String DEVICE = "--enable-latency-tracing";
    static final String VALIDATION = "--validation-trace";
    private static final int MOST_WORKERS = 500;

    // Some 100 bytes each: requests that wait are bounded, as all queues are. The original's are not.
    private static final int MOST_WAITING = 1_000_000;

    @Option(names = "--compat")
    boolean compat;

    @Mixin
    final WorkloadFlags workload = new WorkloadFlags();

    @Mixin
    final TierFlags tiers = new TierFlags();

    @Mixin
    final ServiceFlags services = new ServiceFlags();

    @Mixin
    final BlockFlags blocks = new BlockFlags();

    @Mixin
    final ScaleFlags scale = new ScaleFlags();

    @Mixin
    final RequestFlags requests = new RequestFlags();

    @Option(names = DEVICE)
    boolean device;

    @Option(names = VALIDATION, paramLabel = "FILE")
    @Nullable
    Path validation;

    @Option(names = "--warmup", paramLabel = "S")
    int warmUp = 5;

    @Option(names = "--drain", paramLabel = "S")
    int drain = 10;

    @Option(names = "--config", paramLabel = "FILE")
    @Nullable
    Path configFile;

    @Option(names = OUTPUT, paramLabel = "FILE")
    @Nullable
    Path output;

    @Option(names = SPREADSHEET, paramLabel = "FILE")
    @Nullable
    Path spreadsheet;

    @Option(names = TRACE, paramLabel = "FILE")
    @Nullable
    Path trace;

    private @Nullable ConfigFile file;

    /** The config file, which is read once. */
    ConfigFile file() {
        if (file == null) {
            file = configFile == null
                    ? new ConfigFile(WorkloadConfig.usual(), List.of())
                    : ConfigFile.read(configFile, compat);
        }
        return file;
    }

    WorkloadConfig config() {
        return file().config();
    }

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check() {
        workload.check(config(), compat);
        tiers.check(config(), trace != null);
        services.check(tiers, System.getenv());
        blocks.check(this);
        scale.check(workload);
        requests.check(this);
        FlagCheck.refuseIf(
                blocks.on() && tiers.has(TierName.KVSTORE) && blockBytes() > NewBlock.MAX_BUFFER_BYTES,
                "--block-tokens: a block of %d tokens of %s has %d bytes; KV Store takes %d"
                        .formatted(blocks.tokens, workload.model, blockBytes(), NewBlock.MAX_BUFFER_BYTES));
        FlagCheck.range("--warmup", warmUp, 0, 3_600);
        FlagCheck.range("--drain", drain, 0, 3_600);
        FlagCheck.refuseIf(
                spreadsheet != null && !spreadsheet.toString().matches(".*\\.(xlsx|csv)"),
                SPREADSHEET + ": must end in .xlsx or .csv, not " + spreadsheet);
        requireFile(OUTPUT, output);
        requireFile(SPREADSHEET, spreadsheet);
        requireFile(TRACE, trace);
        if (validation != null) {
            ValidationTrace.read(validation);
        }
        checkDevice();
    }

    private static void requireFile(String flag, @Nullable Path file) {
        if (file != null) {
            WritablePath.requireFile(flag, file);
        }
    }

    private void checkDevice() {
        FlagCheck.refuseIf(
                device && (trace != null || !tiers.has(TierName.DISK)),
                DEVICE + ": there is no disk to watch; name disk in --tiers, without --io-trace-log");
        try (DeviceTracer _ = tracer()) {
            // It can watch.
        } catch (IOException | UnsupportedOperationException e) {
            throw new IllegalArgumentException(DEVICE + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException(DEVICE + ": was interrupted", e);
        }
    }

    /** Begins to watch the disk; null if it is not to be watched. */
    @Nullable
    DeviceTracer tracer() throws IOException, InterruptedException {
        return device ? DeviceTracer.start(BlockDevice.under(tiers.folder())) : null;
    }

    Model model() {
        Model model = config().models().get(workload.model);
        if (model == null) {
            throw new IllegalArgumentException("--model: there is no model " + workload.model);
        }
        return model;
    }

    /** A trace is of all three, as in the original. */
    List<TierName> tierNames() {
        return trace == null ? tiers.tiers : List.of(TierName.GPU_SIM, TierName.CPU, TierName.NULL);
    }

    /** The tokens of each shared prompt; 0 if it is too short to be shared. */
    int sharedTokens() {
        return blocks.sharedTokens < config().prefixCache().minPrefixLength() ? 0 : blocks.sharedTokens;
    }

    /** The bytes of one block of a prompt. */
    long blockBytes() {
        return model().entryBytes(blocks.tokens, tiers.parallel);
    }

    /**
     * Of KV Store's blocks: without blocks of ours, those of as many tokens as its own have, in whole pages, as far as
     * it takes them.
     */
    int serviceBlockBytes() {
        if (blocks.on()) {
            return Math.toIntExact(blockBytes());
        }
        long bytes = model().entryBytes(Partition.DEFAULT_BLOCK_TOKENS, tiers.parallel);
        long pages = Math.max(1, (bytes + NoiseContent.PAGE_BYTES - 1) / NoiseContent.PAGE_BYTES);
        return (int) Math.min(NewBlock.MAX_BUFFER_BYTES, pages * NoiseContent.PAGE_BYTES);
    }

    /** How many users there may be at once. */
    int mostUsers() {
        int scaled = scale.on ? Math.min(MOST_WORKERS, config().autoscaler().maxUsers()) : 0;
        return Math.max(workload.users, scaled);
    }

    /** Users of the run, and users that an autoscaler may add; as the original, those of the run alone. */
    int population() {
        return compat ? workload.users : mostUsers();
    }

    RunPlan plan() {
        return new RunPlan(
                Math.min(population(), MOST_WORKERS),
                !compat,
                !workload.noPrefixes,
                workload.part(),
                Duration.ofSeconds(compat ? 0 : warmUp),
                Duration.ofSeconds(workload.duration),
                Duration.ofSeconds(compat ? 0 : drain),
                workload.maxRequests,
                config().secondsPerToken(workload.generation),
                MOST_WAITING,
                config());
    }
}
