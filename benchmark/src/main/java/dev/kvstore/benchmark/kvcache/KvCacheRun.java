package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.KvCacheFlags.Profile;
import dev.kvstore.benchmark.kvcache.KvCacheFlags.ScaleMode;
import dev.kvstore.benchmark.kvcache.block.BlockCache;
import dev.kvstore.benchmark.kvcache.block.BlockServing;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.ScaleRules;
import dev.kvstore.benchmark.kvcache.device.BlockDevice;
import dev.kvstore.benchmark.kvcache.device.DeviceTracer;
import dev.kvstore.benchmark.kvcache.device.FioJob;
import dev.kvstore.benchmark.kvcache.engine.Autoscaler;
import dev.kvstore.benchmark.kvcache.engine.EngineRun;
import dev.kvstore.benchmark.kvcache.engine.EngineRun.EngineTime;
import dev.kvstore.benchmark.kvcache.engine.EntryPreparation;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.RequestServing;
import dev.kvstore.benchmark.kvcache.engine.RunFigures;
import dev.kvstore.benchmark.kvcache.engine.RunPlan;
import dev.kvstore.benchmark.kvcache.engine.Scaling;
import dev.kvstore.benchmark.kvcache.engine.Served;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import dev.kvstore.benchmark.kvcache.result.ResultJson;
import dev.kvstore.benchmark.kvcache.result.ValidationTrace;
import dev.kvstore.benchmark.kvcache.tier.Closings;
import dev.kvstore.benchmark.kvcache.tier.IoTrace;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.BurstReplay;
import dev.kvstore.benchmark.kvcache.workload.BurstTrace;
import dev.kvstore.benchmark.kvcache.workload.Dataset;
import dev.kvstore.benchmark.kvcache.workload.DatasetReplay;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import dev.kvstore.benchmark.kvcache.workload.RagDocuments;
import dev.kvstore.benchmark.kvcache.workload.RequestSource;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.Workload;
import dev.kvstore.benchmark.measure.BenchProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run from flags to figures: tiers are made, filled if that was asked for, used, and taken away. For one thread.
 */
final class KvCacheRun {
    private static final double FREE_SPACE = 0.95;
    private static final int RUNS_A_MILLISECOND = 64;
    // The context window of most of the models.
    private static final long MOST_TOKENS = 131_072;

    private final KvCacheFlags flags;
    private final WorkloadConfig config;
    private final BenchProgress progress;
    private final Clock clock;
    private final long seed;
    private final AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger());

    KvCacheRun(KvCacheFlags flags, WorkloadConfig config, BenchProgress progress, Clock clock) {
        this.flags = flags;
        this.config = config;
        this.progress = progress;
        this.clock = clock;
        this.seed = flags.seed() == null ? clock.millis() : flags.seed();
    }

    KvCacheReport run() throws IOException, InterruptedException {
        // Clients that begin in the same millisecond have different seeds.
        String run = Long.toString(
                clock.millis() * RUNS_A_MILLISECOND + Math.floorMod(seed, RUNS_A_MILLISECOND), Character.MAX_RADIX);
        try (IoTrace trace = flags.ioTraceLog() == null ? null : new IoTrace(flags.ioTraceLog());
                Closings closings = new Closings()) {
            OpenTiers tiers = new OpenTiers(flags, config, seed, run, closings);
            tiers.services().forEach(service -> progress.accept("over " + service));
            return run(tiers, trace);
        }
    }

    private KvCacheReport run(OpenTiers tiers, @Nullable IoTrace trace) throws IOException, InterruptedException {
        double capacity = storageBytes();
        if (flags.ioTraceLog() == null && flags.has(TierName.DISK)) {
            progress.accept("entries take up to %.1f GiB in %s; --storage-capacity-gb bounds it"
                    .formatted(capacity / KvCacheFlags.GIBIBYTE, flags.folder()));
        }
        TieredCache cache = cache(tiers, trace, capacity);
        EntryPreparation preparation = new EntryPreparation(cache, progress);
        if (flags.precondition()) {
            double gib = flags.preconditionSizeGb();
            double bytes = gib > 0 ? gib * KvCacheFlags.GIBIBYTE : 2 * capacity;
            long entry = flags.model(config).entryBytes(EntryPreparation.TOKENS, flags.tensorParallel());
            preparation.precondition((long) bytes, entry, flags.threads());
        }
        List<User> users = User.population(flags.population(config), config, new MersenneTwister(seed));
        List<String> prepared = flags.decodeOnly() ? preparation.entries(users.size(), flags.threads()) : List.of();
        RagDocuments documents =
                flags.enableRag() ? RagDocuments.of(flags.ragNumDocs(), config.rag(), flags.model(config), seed) : null;
        if (documents != null && !flags.compat()) {
            preparation.documents(documents);
        }
        ledger.set(new Ledger());
        RunPlan plan = flags.plan(config);
        // A prompt that is too short is not shared.
        int promptTokens = flags.systemPromptTokens();
        int sharedTokens = promptTokens < config.prefixCache().minPrefixLength() ? 0 : promptTokens;
        try (RequestSource requests = source(users, documents);
                BlockCache blocks = flags.inBlocks() ? tiers.blocks(cache, ledger) : null) {
            Served.Answering serving = blocks == null
                    ? new RequestServing(plan, flags.model(config), cache, ledger, prepared)
                    : new BlockServing(
                            blocks, tiers.partition(), sharedTokens, flags.prefill(), ledger, System::nanoTime);
            Scaling scaling =
                    flags.enableAutoscaling() && requests instanceof Workload workload ? scaling(workload) : null;
            Thread ingestion = documents != null && flags.compat() ? ingestion(documents, preparation) : null;
            try (DeviceTracer tracer =
                    flags.enableLatencyTracing() ? DeviceTracer.start(BlockDevice.under(flags.folder())) : null) {
                long watchedSince = System.nanoTime();
                RunFigures figures =
                        new EngineRun(plan, requests, serving, ledger, progress, EngineTime.SYSTEM, scaling).run();
                if (ingestion != null) {
                    ingestion.interrupt();
                    ingestion.join();
                }
                double watched = (System.nanoTime() - watchedSince) / 1e9;
                ObjectNode results = ResultJson.of(figures, setting(plan, tiers), cache);
                if (tracer != null) {
                    FioJob.add(results, tracer.end(), watched);
                }
                if (flags.validationTrace() != null) {
                    ObjectNode compared =
                            ValidationTrace.read(flags.validationTrace()).compare(results, !flags.compat());
                    results.set("validation", compared);
                }
                return KvCacheReport.of(results, !flags.compat());
            }
        }
    }

    private TieredCache cache(OpenTiers tiers, @Nullable IoTrace trace, double capacity) {
        double[] limits = tiers.places().stream()
                .mapToDouble(place -> switch (place.slot()) {
                    case GPU ->
                        flags.gpuMemGb()
                                * flags.numGpus()
                                * KvCacheFlags.GIBIBYTE
                                * config.gpuBackend().usable();
                    case CPU -> flags.cpuMemGb() * KvCacheFlags.GIBIBYTE;
                    case STORAGE -> capacity;
                })
                .toArray();
        int mostAbove = flags.has(TierName.GPU_SIM) ? config.gpuBackend().maxEvictionAttempts() : Integer.MAX_VALUE;
        return new TieredCache(
                new TieredCache.TierSetup(
                        flags.model(config),
                        flags.tensorParallel(),
                        tiers.places(),
                        flags.maxConcurrentAllocs(),
                        !flags.compat(),
                        trace,
                        clock),
                new TierPolicy(limits, config.eviction(), flags.tieringPolicy(), mostAbove),
                ledger);
    }

    private double storageBytes() throws IOException {
        if (flags.storageCapacityGb() > 0) {
            return flags.storageCapacityGb() * KvCacheFlags.GIBIBYTE;
        }
        return flags.ioTraceLog() != null || !flags.has(TierName.DISK)
                ? Double.POSITIVE_INFINITY
                : Files.getFileStore(flags.folder()).getUsableSpace() * FREE_SPACE;
    }

    private RequestSource source(List<User> users, @Nullable RagDocuments documents) {
        Workload.WorkloadRules rules = new Workload.WorkloadRules(
                !flags.disableMultiTurn(),
                !flags.disablePrefixCaching(),
                flags.compat(),
                flags.compat() && flags.datasetPath() != null ? ArrivalProcess.FIXED : flags.arrival(),
                flags.requestRate(),
                flags.inBlocks() ? MOST_TOKENS : 0,
                documents,
                seed);
        if (flags.datasetPath() != null) {
            Dataset dataset = flags.dataset(flags.datasetPath(), config);
            if (flags.tokenizer() == null) {
                progress.accept("no --tokenizer is given: a token has "
                        + config.sharegpt().charsPerTokenEstimate() + " characters");
            }
            if (dataset.leftOut() > 0) {
                progress.accept(dataset.leftOut() + " of "
                        + (dataset.leftOut() + dataset.talks().size())
                        + " conversations are left out: they have no question with an answer");
            }
            return new DatasetReplay(dataset, users, config, rules, flags.replayCycles());
        }
        return flags.burstTracePath() != null
                ? new BurstReplay(
                        BurstTrace.find(flags.burstTracePath()),
                        config,
                        rules,
                        flags.traceSpeedup(),
                        flags.replayCycles())
                : new Workload(users, config, rules);
    }

    private Scaling scaling(Workload workload) {
        ScaleRules rules = config.autoscaler().withMost(flags.mostUsers(config));
        Autoscaler scaler = flags.autoscalerMode() == ScaleMode.CAPACITY
                ? new Autoscaler.CapacitySearch(flags.numUsers(), rules)
                : new Autoscaler.Qos(flags.numUsers(), flags.targetSaturation(), rules, flags.compat() ? 0 : 1);
        return new Scaling(
                scaler,
                config.saturationDetection(),
                Duration.ofSeconds(flags.autoscalerInterval()),
                workload,
                clock,
                !flags.compat());
    }

    /** The original writes documents while requests ask about them already. */
    private static Thread ingestion(RagDocuments documents, EntryPreparation preparation) {
        return Thread.ofPlatform().name("documents").start(() -> {
            try {
                preparation.documents(documents);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                // The run is over.
            }
        });
    }

    private ResultJson.ResultSetting setting(RunPlan plan, OpenTiers tiers) {
        return new ResultJson.ResultSetting(
                flags.seed(),
                plan,
                flags.performanceProfile() == Profile.THROUGHPUT,
                flags.tiersOfRun().stream().map(TierName::toString).toList(),
                tiers.services(),
                flags.inBlocks()
                        ? new ResultJson.BlockSetting(
                                flags.blockTokens(),
                                flags.blockBytes(config),
                                flags.prefill().tokensPerSecond())
                        : null);
    }
}
