package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Announcements;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.OtherRegions;
import dev.kvstore.dataplane.region.VerifiedBlockImporter;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** The parts that read through to other regions, with nothing else around them. */
final class RegionFixture {
    private RegionFixture() {}

    static RequestAuthorisation authorisation(AccountResolver accounts, StoreCache stores, MemoryPool memory) {
        Executor executor = Executors.newVirtualThreadPerTaskExecutor();
        MeterRegistry meters = new SimpleMeterRegistry();
        VerifiedBlocks blocks = new VerifiedBlocks(memory);
        Tiers tiers = new Tiers(new MemoryTier(1 << 20, (_, _) -> {}), DiskTier.none(memory), executor);
        Presence presence = new Presence(
                tiers,
                memory,
                new Presence.PresenceCapacity(1_000, 1 << 20),
                "node",
                Ticker.systemTicker(),
                new SplittableRandom(1),
                executor,
                meters,
                Announcements.NONE);
        OtherRegions regions = new OtherRegions(
                new OtherRegions.RegionDependencies(
                        stores,
                        presence,
                        tiers,
                        memory,
                        new VerifiedBlockImporter(blocks, presence, memory),
                        AddedLatency.NONE),
                1 << 20,
                meters,
                Ticker.systemTicker(),
                executor);
        return new RequestAuthorisation(accounts, stores, blocks, presence, regions, memory);
    }
}
