package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.block.BlockCache;
import dev.kvstore.benchmark.kvcache.block.BlockServing;
import dev.kvstore.benchmark.kvcache.device.DeviceTracer;
import dev.kvstore.benchmark.kvcache.device.FioJob;
import dev.kvstore.benchmark.kvcache.engine.Answering;
import dev.kvstore.benchmark.kvcache.engine.EngineRun;
import dev.kvstore.benchmark.kvcache.engine.EngineTime;
import dev.kvstore.benchmark.kvcache.engine.EntryPreparation;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.RequestServing;
import dev.kvstore.benchmark.kvcache.engine.RunFigures;
import dev.kvstore.benchmark.kvcache.engine.RunPlan;
import dev.kvstore.benchmark.kvcache.engine.Scaling;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import dev.kvstore.benchmark.kvcache.replay.BurstReplay;
import dev.kvstore.benchmark.kvcache.replay.Dataset;
import dev.kvstore.benchmark.kvcache.replay.DatasetReplay;
import dev.kvstore.benchmark.kvcache.replay.ValidationTrace;
import dev.kvstore.benchmark.kvcache.result.ResultJson;
import dev.kvstore.benchmark.kvcache.tier.Closings;
import dev.kvstore.benchmark.kvcache.tier.IoTrace;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import dev.kvstore.benchmark.kvcache.workload.Population;
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
    private static final double GIBIBYTE = 1L << 30;
    private static final double FREE_SPACE = 0.95;
    private static final int RUNS_A_MILLISECOND = 64;

    // The context window of most of the models.
    private static final long MOST_TOKENS = 131_072;

    private final KvCacheFlags flags;
    private final BenchProgress progress;
    private final Clock clock;
    private final long seed;
    private final AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger());

    KvCacheRun(KvCacheFlags flags, BenchProgress progress, Clock clock) {
        this.flags = flags;
        this.progress = progress;
        this.clock = clock;
        this.seed = flags.workload.seed == null ? clock.millis() : flags.workload.seed;
    }

    KvCacheReport run() throws IOException, InterruptedException {
        // Clients that begin in the same millisecond have different seeds.
        String run = Long.toString(
                clock.millis() * RUNS_A_MILLISECOND + Math.floorMod(seed, RUNS_A_MILLISECOND), Character.MAX_RADIX);
        try (IoTrace trace = flags.trace == null ? null : new IoTrace(flags.trace);
                Closings closings = new Closings()) {
            OpenTiers tiers = new OpenTiers(flags, seed, run, closings);
            tiers.services().forEach(service -> progress.accept("over " + service));
            return run(tiers, trace);
        }
    }

    private KvCacheReport run(OpenTiers tiers, @Nullable IoTrace trace) throws IOException, InterruptedException {
        double capacity = storageBytes();
        TieredCache cache = cache(tiers, trace, capacity);
        EntryPreparation preparation = new EntryPreparation(cache, progress);
        if (flags.tiers.precondition) {
            double bytes = flags.tiers.preconditionGib > 0 ? flags.tiers.preconditionGib * GIBIBYTE : 2 * capacity;
            long entry = flags.model().entryBytes(EntryPreparation.TOKENS, flags.tiers.parallel);
            preparation.precondition((long) bytes, entry, flags.tiers.threads());
        }
        List<User> users = Population.of(flags.population(), flags.config(), new MersenneTwister(seed));
        List<String> prepared =
                flags.workload.decodeOnly ? preparation.entries(users.size(), flags.tiers.threads()) : List.of();
        RagDocuments documents = flags.requests.rag
                ? RagDocuments.of(flags.requests.documents, flags.config().rag(), flags.model(), seed)
                : null;
        if (documents != null && !flags.compat) {
            preparation.documents(documents);
        }
        ledger.set(new Ledger());
        RunPlan plan = flags.plan();
        try (RequestSource requests = source(users, documents);
                BlockCache blocks = flags.blocks.on() ? tiers.blocks(cache, ledger, seed) : null) {
            Answering serving = blocks == null
                    ? new RequestServing(plan, flags.model(), cache, ledger, prepared)
                    : new BlockServing(
                            blocks,
                            new BlockServing.BlockSetup(
                                    tiers.partition(),
                                    flags.sharedTokens(),
                                    flags.blocks.prefill(flags.workload.model),
                                    plan.secondsPerToken()),
                            ledger,
                            System::nanoTime);
            Scaling scaling = flags.scale.on && requests instanceof Workload workload ? scaling(workload) : null;
            Thread ingestion = documents != null && flags.compat ? ingestion(documents, preparation) : null;
            try (DeviceTracer tracer = flags.tracer()) {
                long watchedSince = System.nanoTime();
                RunFigures figures =
                        new EngineRun(plan, requests, serving, ledger, progress, EngineTime.SYSTEM, scaling).run();
                if (ingestion != null) {
                    ingestion.interrupt();
                    ingestion.join();
                }
                return report(figures, cache, tiers, tracer, watchedSince);
            }
        }
    }

    private TieredCache cache(OpenTiers tiers, @Nullable IoTrace trace, double capacity) {
        double[] limits = tiers.places().stream()
                .mapToDouble(place -> switch (place.slot()) {
                    case GPU ->
                        flags.tiers.gpuBytes() * flags.config().gpuBackend().usable();
                    case CPU -> flags.tiers.cpuBytes();
                    case STORAGE -> capacity;
                })
                .toArray();
        return new TieredCache(
                new TieredCache.TierSetup(
                        flags.model(),
                        flags.tiers.parallel,
                        tiers.places(),
                        flags.tiers.allocations,
                        !flags.compat,
                        trace,
                        clock),
                new TierPolicy(
                        limits,
                        flags.config().eviction(),
                        flags.tiers.tiering,
                        flags.tiers.has(TierName.GPU_SIM)
                                ? flags.config().gpuBackend().maxEvictionAttempts()
                                : Integer.MAX_VALUE),
                ledger);
    }

    private double storageBytes() throws IOException {
        if (flags.tiers.storageGib > 0) {
            return flags.tiers.storageGib * GIBIBYTE;
        }
        return flags.trace != null || !flags.tiers.has(TierName.DISK)
                ? Double.POSITIVE_INFINITY
                : Files.getFileStore(flags.tiers.folder()).getUsableSpace() * FREE_SPACE;
    }

    private RequestSource source(List<User> users, @Nullable RagDocuments documents) {
        WorkloadFlags workload = flags.workload;
        RequestFlags requests = flags.requests;
        Workload.WorkloadRules rules = new Workload.WorkloadRules(
                !workload.noTurns,
                !workload.noPrefixes,
                flags.compat,
                flags.compat && requests.dataset != null ? ArrivalProcess.FIXED : workload.arrival,
                workload.rate,
                workload.variation,
                flags.blocks.on() ? MOST_TOKENS : 0,
                documents,
                seed);
        if (requests.dataset != null) {
            Dataset dataset = requests.dataset(requests.dataset, flags.config());
            return new DatasetReplay(dataset, users, flags.config(), rules, requests.cycles);
        }
        return requests.burst
                ? new BurstReplay(requests.trace(), flags.config(), rules, requests.speedup, requests.cycles)
                : new Workload(users, flags.config(), rules);
    }

    private Scaling scaling(Workload workload) {
        return new Scaling(
                flags.scale.scaler(
                        flags.workload.users, flags.config().autoscaler().withMost(flags.mostUsers()), flags.compat),
                flags.config().saturationDetection(),
                Duration.ofSeconds(flags.scale.interval),
                workload,
                clock,
                !flags.compat);
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

    private KvCacheReport report(
            RunFigures figures, TieredCache cache, OpenTiers tiers, @Nullable DeviceTracer tracer, long watchedSince)
            throws IOException, InterruptedException {
        double watched = (System.nanoTime() - watchedSince) / 1e9;
        ObjectNode results = ResultJson.of(
                figures,
                new ResultJson.ResultSetting(
                        flags.workload.seed,
                        !flags.compat,
                        !flags.workload.noPrefixes,
                        flags.workload.profile == WorkloadFlags.Profile.THROUGHPUT,
                        flags.config()::target,
                        flags.tierNames().stream().map(TierName::toString).toList(),
                        tiers.services(),
                        flags.plan().warmUp(),
                        flags.blocks.on()
                                ? new ResultJson.BlockSetting(
                                        flags.blocks.tokens,
                                        flags.blockBytes(),
                                        flags.blocks
                                                .prefill(flags.workload.model)
                                                .tokensPerSecond())
                                : null),
                cache);
        if (tracer != null) {
            FioJob.add(results, tracer.end(), watched);
        }
        if (flags.validation != null) {
            results.set("validation", ValidationTrace.read(flags.validation).compare(results, !flags.compat));
        }
        return KvCacheReport.of(results, !flags.compat);
    }
}
