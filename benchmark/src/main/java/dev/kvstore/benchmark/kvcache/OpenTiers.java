package dev.kvstore.benchmark.kvcache;

import com.azure.storage.blob.BlobContainerClient;
import dev.kvstore.benchmark.kvcache.block.BlockCache;
import dev.kvstore.benchmark.kvcache.block.ServiceBlocks;
import dev.kvstore.benchmark.kvcache.block.TieredBlocks;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.device.BlockDevice;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.CountedTier;
import dev.kvstore.benchmark.kvcache.tier.BlobService;
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
import dev.kvstore.client.NewBlock;
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
    private final WorkloadConfig config;
    private final String run;
    private final NoiseContent content;
    private final Closings closings;
    private final List<CountedTier> places = new ArrayList<>();
    private final List<String> services = new ArrayList<>();
    private @Nullable KvStoreTierService kvStore;

    /**
     * Opens all tiers.
     *
     * @param run a name that no other run has
     * @param closings take tiers and services, those too that were opened before one could not be
     */
    OpenTiers(KvCacheFlags flags, WorkloadConfig config, long seed, String run, Closings closings)
            throws IOException, InterruptedException {
        this.flags = flags;
        this.config = config;
        this.run = run;
        this.content = new NoiseContent(seed);
        this.closings = closings;
        for (TierName name : flags.tiersOfRun()) {
            Tier tier = flags.ioTraceLog() == null ? tier(name) : new NullTier();
            closings.add(tier::close);
            places.add(new CountedTier(name.slot, tier));
        }
    }

    List<CountedTier> places() {
        return List.copyOf(places);
    }

    /** For people. */
    List<String> services() {
        return List.copyOf(services);
    }

    private Tier tier(TierName name) throws IOException, InterruptedException {
        return switch (name) {
            case NULL -> new NullTier();
            case GPU_SIM -> new SimulatedGpu(flags.gpuBandwidthGbs(), Duration.ofNanos(flags.gpuLatencyUs() * 1_000));
            case CPU ->
                flags.cpuBandwidthGbs() == 0
                        ? new KvCacheMemoryTier(content)
                        : new SimulatedGpu(flags.cpuBandwidthGbs(), Duration.ZERO);
            case DISK -> {
                Tier disk = KvCacheDiskTier.in(flags.folder(), content);
                services.add(BlockDevice.describe(flags.folder()));
                yield disk;
            }
            case KVSTORE -> kvStore();
            case OBJECT -> object();
        };
    }

    private Tier kvStore() throws IOException, InterruptedException {
        KvStoreTierService service = flags.target().isEmpty()
                ? KvStoreTierService.start(flags.folder(), flags.kvstoreStorage(), closings)
                : KvStoreTierService.running(flags.access());
        services.add(service.name());
        if (flags.target().isEmpty()) {
            services.add(BlockDevice.describe(flags.folder()));
        }
        if (flags.inBlocks()) {
            // Its blocks are the prompts'.
            kvStore = service;
            return new NullTier();
        }
        // As many tokens as its own blocks have, in whole pages, as far as it takes them.
        long bytes = flags.model(config).entryBytes(Partition.DEFAULT_BLOCK_TOKENS, flags.tensorParallel());
        long pages = Math.max(1, Math.ceilDiv(bytes, NoiseContent.PAGE_BYTES));
        int block = (int) Math.min(NewBlock.MAX_BUFFER_BYTES, pages * NoiseContent.PAGE_BYTES);
        return new KvStoreTier(service.blocks(Partition.of(PARTITION + run), block, content), block);
    }

    private Tier object() throws IOException, InterruptedException {
        String named = flags.blobContainer();
        BlobContainerClient container = named == null
                ? BlobService.start(flags.folder(), closings)
                : BlobService.existing(flags.connection(), named);
        services.add(named == null ? "Azurite of this machine" : "container " + container.getBlobContainerUrl());
        if (named == null) {
            services.add(BlockDevice.describe(flags.folder()));
        }
        return new ObjectTier(container, "kv-cache/" + run + "/", content);
    }

    /** The namespace of this run's blocks. */
    Partition partition() {
        return Partition.of(PARTITION + run, flags.blockTokens());
    }

    /** Blocks of prompts in these tiers, or in KV Store if that is the tier; the caller closes it. */
    BlockCache blocks(TieredCache cache, AtomicReference<Ledger> ledger) throws IOException {
        if (kvStore == null) {
            return new TieredBlocks(cache, flags.blockTokens());
        }
        int bytes = Math.toIntExact(flags.blockBytes(config));
        return new ServiceBlocks(
                kvStore.blocks(partition(), bytes, content),
                bytes,
                ledger,
                kvStore.dataPlanes() == 1 ? 0 : VISIBLE_EVERYWHERE.toNanos(),
                System::nanoTime);
    }
}
