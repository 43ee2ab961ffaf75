package dev.kvstore.benchmark.kvcache;

import com.azure.storage.blob.BlobContainerClient;
import dev.kvstore.benchmark.kvcache.block.BlockCache;
import dev.kvstore.benchmark.kvcache.block.ServiceBlocks;
import dev.kvstore.benchmark.kvcache.block.TieredBlocks;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import dev.kvstore.benchmark.kvcache.tier.Closings;
import dev.kvstore.benchmark.kvcache.tier.KvCacheDiskTier;
import dev.kvstore.benchmark.kvcache.tier.KvCacheMemoryTier;
import dev.kvstore.benchmark.kvcache.tier.KvStoreTier;
import dev.kvstore.benchmark.kvcache.tier.KvStoreTierService;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.benchmark.kvcache.tier.NullTier;
import dev.kvstore.benchmark.kvcache.tier.ObjectTier;
import dev.kvstore.benchmark.kvcache.tier.SimulatedGpu;
import dev.kvstore.benchmark.kvcache.tier.Tier;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The tiers of a run, and the services below them. For one thread. */
final class OpenTiers {
    private static final String PARTITION = "bench/kv-cache/";

    // Twice the bound within which all processes of a region know of a block.
    private static final Duration VISIBLE_EVERYWHERE = Duration.ofSeconds(60);

    private final KvCacheFlags flags;
    private final String run;
    private final List<TieredCache.CountedTier> places = new ArrayList<>();
    private final List<String> services = new ArrayList<>();
    private @Nullable KvStoreTierService kvStore;
    private final Closings closings;

    /**
     * Opens all tiers.
     *
     * @param run a name that no other run has
     * @param closings take tiers and services, those too that were opened before one could not be
     */
    OpenTiers(KvCacheFlags flags, long seed, String run, Closings closings) throws IOException, InterruptedException {
        this.flags = flags;
        this.run = run;
        this.closings = closings;
        for (TierName name : flags.tierNames()) {
            Tier tier = tier(name, seed);
            closings.add(tier::close);
            places.add(new TieredCache.CountedTier(name.slot, tier));
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
        if (flags.trace != null) {
            return new NullTier();
        }
        return switch (name) {
            case NULL -> new NullTier();
            case GPU_SIM ->
                new SimulatedGpu(flags.tiers.gpuBandwidth, Duration.ofNanos(flags.tiers.gpuLatency * 1_000));
            case CPU ->
                flags.tiers.cpuBandwidth == 0
                        ? new KvCacheMemoryTier(new NoiseContent(seed))
                        : new SimulatedGpu(flags.tiers.cpuBandwidth, Duration.ZERO);
            case DISK -> KvCacheDiskTier.in(flags.tiers.folder(), new NoiseContent(seed));
            case KVSTORE -> kvStore(new NoiseContent(seed));
            case OBJECT -> object(new NoiseContent(seed));
        };
    }

    private Tier kvStore(NoiseContent content) throws IOException, InterruptedException {
        KvStoreTierService service = flags.services.kvStore(flags.tiers.folder(), closings);
        services.add(service.name());
        if (flags.blocks.on()) {
            // Its blocks are the prompts'.
            kvStore = service;
            return new NullTier();
        }
        int bytes = flags.serviceBlockBytes();
        return new KvStoreTier(service.blocks(Partition.of(PARTITION + run), bytes, content), bytes, service.room());
    }

    /** The namespace of this run's blocks. */
    Partition partition() {
        return Partition.of(PARTITION + run, flags.blocks.tokens);
    }

    /** Blocks of prompts in these tiers, or in KV Store if that is the tier; the caller closes it. */
    BlockCache blocks(TieredCache cache, AtomicReference<Ledger> ledger, long seed) throws IOException {
        if (kvStore == null) {
            return new TieredBlocks(cache, flags.blocks.tokens);
        }
        int bytes = flags.serviceBlockBytes();
        return new ServiceBlocks(
                kvStore.blocks(partition(), bytes, new NoiseContent(seed)),
                bytes,
                ledger,
                kvStore.dataPlanes() == 1 ? 0 : VISIBLE_EVERYWHERE.toNanos(),
                kvStore.room(),
                System::nanoTime);
    }

    private Tier object(NoiseContent content) throws IOException, InterruptedException {
        BlobContainerClient container = flags.services.blobs(flags.tiers.folder(), closings);
        services.add(
                flags.services.container == null
                        ? "Azurite of this machine"
                        : "container " + container.getBlobContainerUrl());
        return new ObjectTier(container, "kv-cache/" + run + "/", content);
    }
}
