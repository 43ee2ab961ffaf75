package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.Blocks;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.Landing;
import dev.kvstore.dataplane.region.ReadThrough;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** What reads through to other regions, with nothing else around it. */
final class Regions {
    private Regions() {}

    static ReadThrough readThrough(StoreCache stores, MemoryPool memory) {
        Executor executor = Executors.newVirtualThreadPerTaskExecutor();
        MeterRegistry meters = new SimpleMeterRegistry();
        Blocks blocks = new Blocks(memory);
        Tiers tiers = new Tiers(new MemoryTier(1 << 20, (_, _) -> {}), DiskTier.none(memory), executor);
        Presence presence = new Presence(
                tiers,
                memory,
                new Presence.Capacity(1_000, 1 << 20),
                "node",
                Ticker.systemTicker(),
                new SplittableRandom(1),
                executor,
                meters,
                Announcements.NONE);
        return new ReadThrough(
                new ReadThrough.Means(
                        stores,
                        blocks,
                        presence,
                        tiers,
                        memory,
                        new Landing(blocks, presence, memory),
                        AddedLatency.NONE),
                1 << 20,
                meters,
                InstantSource.system(),
                executor);
    }
}
