package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.block.BlockCache;
import dev.kvstore.benchmark.kvcache.block.ServiceBlocks;
import dev.kvstore.benchmark.kvcache.block.TieredBlocks;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import dev.kvstore.benchmark.kvcache.service.BlobService;
import dev.kvstore.benchmark.kvcache.service.KvStoreTierService;
import dev.kvstore.benchmark.kvcache.tier.KvCacheDiskTier;
import dev.kvstore.benchmark.kvcache.tier.KvCacheMemoryTier;
import dev.kvstore.benchmark.kvcache.tier.KvStoreTier;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.benchmark.kvcache.tier.NullTier;
import dev.kvstore.benchmark.kvcache.tier.SimulatedGpu;
import dev.kvstore.benchmark.kvcache.tier.Tier;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The tiers of a run, and the services below them, which go with it. For one thread. */
final class OpenTiers implements AutoCloseable {
    private static final String PARTITION = "bench/kv-cache/";

    // Twice the bound within which all processes of a region know of a block.
    private static final Duration VISIBLE_EVERYWHERE = Duration.ofSeconds(60);

    private final KvCacheOptions options;
    private final String run;
    private final List<TieredCache.CountedTier> places = new ArrayList<>();
    private final List<String> services = new ArrayList<>();
    private @Nullable KvStoreTierService kvStore;
    private final Deque<TierClose> closings = new ArrayDeque<>();

    @FunctionalInterface
    private interface TierClose {
        void close() throws IOException;
    }

    private OpenTiers(KvCacheOptions options, String run) {
        this.options = options;
        this.run = run;
    }

    /**
     * Opens all tiers. If one cannot be opened, the tiers that are open are closed again.
     *
     * @param run a name that no other run has
     */
    static OpenTiers open(KvCacheOptions options, long seed, String run) throws IOException, InterruptedException {
        OpenTiers tiers = new OpenTiers(options, run);
        boolean opened = false;
        try {
            for (TierName name : options.tierNames()) {
                Tier tier = tiers.tier(name, seed);
                tiers.closings.push(tier::close);
                tiers.places.add(new TieredCache.CountedTier(name.slot(), tier));
            }
            opened = true;
            return tiers;
        } finally {
            if (!opened) {
                tiers.close();
            }
        }
    }

    List<TieredCache.CountedTier> places() {
        return List.copyOf(places);
    }

    /** For people. */
    List<String> services() {
        return List.copyOf(services);
    }

    private Tier tier(TierName name, long seed) throws IOException, InterruptedException {
        if (options.trace() != null) {
            return new NullTier();
        }
        return switch (name) {
            case NULL -> new NullTier();
            case GPU_SIM ->
                new SimulatedGpu(options.tiers().gpuBandwidth, Duration.ofNanos(options.tiers().gpuLatency * 1_000));
            case CPU ->
                options.tiers().cpuBandwidth == 0
                        ? new KvCacheMemoryTier(new NoiseContent(seed))
                        : new SimulatedGpu(options.tiers().cpuBandwidth, Duration.ZERO);
            case DISK -> KvCacheDiskTier.in(options.tiers().folder(), new NoiseContent(seed));
            case KVSTORE -> kvStore(new NoiseContent(seed));
            case OBJECT -> object(new NoiseContent(seed));
        };
    }

    private Tier kvStore(NoiseContent content) throws IOException, InterruptedException {
        KvStoreTierService service = options.services().kvStore(options.tiers().folder(), System.getenv());
        closings.push(service::close);
        services.add(service.name());
        if (options.blocks().on()) {
            // Its blocks are the prompts'.
            kvStore = service;
            return new NullTier();
        }
        int bytes = options.serviceBlockBytes();
        return new KvStoreTier(service.blocks(Partition.of(PARTITION + run), bytes, content), bytes, service.room());
    }

    /** The namespace of this run's blocks. */
    Partition partition() {
        return Partition.of(PARTITION + run, options.blocks().tokens);
    }

    /** Blocks of prompts in these tiers, or in KV Store if that is the tier; the caller closes it. */
    BlockCache blocks(TieredCache cache, AtomicReference<Ledger> ledger, long seed) throws IOException {
        if (kvStore == null) {
            return new TieredBlocks(cache, options.blocks().tokens);
        }
        int bytes = options.serviceBlockBytes();
        return new ServiceBlocks(
                kvStore.blocks(partition(), bytes, new NoiseContent(seed)),
                bytes,
                ledger,
                kvStore.dataPlanes() == 1 ? 0 : VISIBLE_EVERYWHERE.toNanos(),
                kvStore.room(),
                System::nanoTime);
    }

    private Tier object(NoiseContent content) throws IOException, InterruptedException {
        BlobService service = options.services().blobs(options.tiers().folder(), System.getenv());
        closings.push(service::close);
        services.add(service.name());
        return service.tier(run, content);
    }

    /** Closes all, tiers before the services below them; the first failure is thrown. */
    @Override
    public void close() throws IOException {
        IOException first = null;
        while (!closings.isEmpty()) {
            try {
                closings.pop().close();
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
