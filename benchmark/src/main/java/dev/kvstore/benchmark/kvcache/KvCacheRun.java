package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.block.BlockCache;
import dev.kvstore.benchmark.kvcache.block.BlockServing;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace;
import dev.kvstore.benchmark.kvcache.device.DeviceTracer;
import dev.kvstore.benchmark.kvcache.device.FioJob;
import dev.kvstore.benchmark.kvcache.engine.EngineRun;
import dev.kvstore.benchmark.kvcache.engine.EngineTime;
import dev.kvstore.benchmark.kvcache.engine.EntryPreparation;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.RunFigures;
import dev.kvstore.benchmark.kvcache.engine.RunPlan;
import dev.kvstore.benchmark.kvcache.engine.Scaling;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import dev.kvstore.benchmark.kvcache.policy.TierPolicy;
import dev.kvstore.benchmark.kvcache.random.MersenneTwister;
import dev.kvstore.benchmark.kvcache.replay.ValidationTrace;
import dev.kvstore.benchmark.kvcache.result.CacheStats;
import dev.kvstore.benchmark.kvcache.result.OwnFigures;
import dev.kvstore.benchmark.kvcache.result.ResultJson;
import dev.kvstore.benchmark.kvcache.tier.IoTrace;
import dev.kvstore.benchmark.kvcache.workload.Population;
import dev.kvstore.benchmark.kvcache.workload.RequestSource;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.Workload;
import dev.kvstore.benchmark.measure.BenchProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run from flags to figures: tiers are made, filled if that was asked for, used, and taken away. For one thread.
 */
final class KvCacheRun {
    private static final double GIBIBYTE = 1L << 30;
    private static final double FREE_SPACE = 0.95;
    private static final int RUNS_A_MILLISECOND = 64;

    private final KvCacheOptions options;
    private final BenchProgress progress;
    private final Clock clock;
    private @Nullable DeviceTracer tracer;
    private long watchedSince;

    KvCacheRun(KvCacheOptions options, BenchProgress progress, Clock clock) {
        this.options = options;
        this.progress = progress;
        this.clock = clock;
    }

    KvCacheReport run() throws IOException, InterruptedException {
        long seed = options.workload().seed == null ? clock.millis() : options.workload().seed;
        List<User> users = Population.of(options.population(), options.config(), new MersenneTwister(seed));
        // Clients that begin in the same millisecond have different seeds.
        String run = Long.toString(
                clock.millis() * RUNS_A_MILLISECOND + Math.floorMod(seed, RUNS_A_MILLISECOND), Character.MAX_RADIX);
        try (IoTrace trace = options.trace() == null ? null : new IoTrace(options.trace());
                OpenTiers tiers = OpenTiers.open(options, seed, run)) {
            tiers.services().forEach(service -> progress.accept("over " + service));
            return run(seed, users, tiers, trace);
        }
    }

    private KvCacheReport run(long seed, List<User> users, OpenTiers tiers, @Nullable IoTrace trace)
            throws IOException, InterruptedException {
        List<TieredCache.CountedTier> places = tiers.places();
        double capacity = storageBytes();
        AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger());
        TieredCache cache = new TieredCache(
                new TieredCache.TierSetup(
                        options.model(),
                        options.tiers().parallel,
                        places,
                        options.tiers().allocations,
                        !options.compat(),
                        trace,
                        clock),
                new TierPolicy(
                        limits(places, capacity),
                        options.config().eviction(),
                        options.tiers().tiering,
                        options.tiers().has(TierName.GPU_SIM)
                                ? options.config().gpu().mostEvictions()
                                : Integer.MAX_VALUE),
                ledger);
        EntryPreparation preparation = new EntryPreparation(cache, progress);
        if (options.tiers().precondition) {
            double bytes =
                    options.tiers().preconditionGib > 0 ? options.tiers().preconditionGib * GIBIBYTE : 2 * capacity;
            preparation.precondition(
                    (long) bytes,
                    options.model().entryBytes(EntryPreparation.TOKENS, options.tiers().parallel),
                    threads());
        }
        List<String> prepared =
                options.workload().decodeOnly ? preparation.entries(users.size(), threads()) : List.of();
        try (Sources sources = new Sources(options, seed)) {
            if (!options.compat()) {
                sources.prepare(preparation);
            }
            ledger.set(new Ledger());
            RequestSource requests = sources.of(users);
            Scaling scaling = options.scale().on && requests instanceof Workload workload ? scaling(workload) : null;
            Thread ingestion = options.compat() ? ingestion(sources, preparation) : null;
            watch();
            RunFigures figures = options.blocks().on()
                    ? runOfBlocks(requests, cache, ledger, tiers, seed, scaling)
                    : EngineRun.ofEntries(
                                    options.plan(),
                                    options.model(),
                                    requests,
                                    cache,
                                    ledger,
                                    prepared,
                                    progress,
                                    scaling)
                            .run();
            if (ingestion != null) {
                ingestion.interrupt();
                ingestion.join();
            }
            return report(figures, cache, tiers);
        } finally {
            if (tracer != null) {
                tracer.close();
            }
        }
    }

    private void watch() throws IOException, InterruptedException {
        if (options.observation().device) {
            tracer = options.observation().tracer(options.tiers());
            watchedSince = System.nanoTime();
        }
    }

    /** The original writes documents while requests ask about them already. */
    private static Thread ingestion(Sources sources, EntryPreparation preparation) {
        return Thread.ofPlatform().name("documents").start(() -> {
            try {
                sources.prepare(preparation);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                // The run is over.
            }
        });
    }

    private RunFigures runOfBlocks(
            RequestSource requests,
            TieredCache cache,
            AtomicReference<Ledger> ledger,
            OpenTiers tiers,
            long seed,
            @Nullable Scaling scaling)
            throws IOException {
        RunPlan plan = options.plan();
        try (BlockCache blocks = tiers.blocks(cache, ledger, seed)) {
            BlockServing serving = new BlockServing(
                    blocks,
                    new BlockServing.BlockSetup(
                            tiers.partition(),
                            options.sharedTokens(),
                            options.blocks().prefill(options.workload().model),
                            plan.secondsPerToken()),
                    ledger,
                    System::nanoTime);
            return new EngineRun(plan, requests, serving, ledger, progress, EngineTime.SYSTEM, scaling).run();
        }
    }

    private Scaling scaling(Workload workload) {
        return new Scaling(
                options.scale()
                        .scaler(
                                options.workload().users,
                                options.config().scaling().withMost(options.mostUsers())),
                options.config().saturation(),
                Duration.ofSeconds(options.scale().interval),
                workload,
                clock,
                !options.compat());
    }

    private int threads() {
        return options.tiers().preconditionThreads > 0
                ? options.tiers().preconditionThreads
                : Runtime.getRuntime().availableProcessors();
    }

    private double[] limits(List<TieredCache.CountedTier> places, double capacity) {
        return places.stream()
                .mapToDouble(place -> switch (place.slot()) {
                    case GPU ->
                        options.tiers().gpuBytes() * options.config().gpu().usable();
                    case CPU -> options.tiers().cpuBytes();
                    case STORAGE -> capacity;
                })
                .toArray();
    }

    private double storageBytes() throws IOException {
        if (options.tiers().storageGib > 0) {
            return options.tiers().storageGib * GIBIBYTE;
        }
        if (options.trace() != null || !options.tiers().has(TierName.DISK)) {
            return Double.POSITIVE_INFINITY;
        }
        Path folder = options.tiers().folder();
        return (double) Files.getFileStore(folder).getUsableSpace() * FREE_SPACE;
    }

    private KvCacheReport report(RunFigures figures, TieredCache cache, OpenTiers tiers)
            throws IOException, InterruptedException {
        double watched = (System.nanoTime() - watchedSince) / 1e9;
        Map<Slot, CacheStats.Fill> fills = new EnumMap<>(Slot.class);
        for (Slot slot : Slot.values()) {
            fills.put(slot, new CacheStats.Fill(cache.entries(slot), cache.used(slot)));
        }
        ObjectNode stats = CacheStats.of(
                figures.ledger(),
                fills,
                figures.seconds(),
                options.workload().profile == WorkloadFlags.Profile.THROUGHPUT);
        ObjectNode own = OwnFigures.of(
                figures,
                !options.compat(),
                options.config()::target,
                options.tierNames().stream().map(TierName::toString).toList(),
                tiers.services(),
                (double) options.plan().warmUp().toSeconds(),
                Runtime.getRuntime().availableProcessors(),
                options.blocks().on()
                        ? new OwnFigures.BlockFigures(
                                options.blocks().tokens,
                                options.blockBytes(),
                                options.blocks()
                                        .prefill(options.workload().model)
                                        .tokensPerSecond())
                        : null);
        ObjectNode results = ResultJson.of(
                figures,
                new ResultJson.ResultSetting(
                        options.workload().seed, !options.workload().noPrefixes, options.config()::target, stats, own));
        if (tracer != null) {
            addDevice(results, tracer.end(), watched);
        }
        if (options.observation().validation != null) {
            results.set(
                    "validation",
                    ValidationTrace.read(options.observation().validation).compare(results, !options.compat()));
        }
        return KvCacheReport.of(results, !options.compat());
    }

    private static void addDevice(ObjectNode results, DeviceTrace trace, double seconds) {
        results.set("device_latency_tracing", trace.json());
        JsonNode stats = results.at("/summary/cache_stats");
        FioJob.of(
                        trace,
                        stats.path("read_iops").asLong(),
                        stats.path("write_iops").asLong(),
                        seconds)
                .ifPresent(job -> results.put("fio_workload", job));
    }
}
