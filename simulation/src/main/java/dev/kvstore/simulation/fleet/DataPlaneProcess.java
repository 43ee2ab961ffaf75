package dev.kvstore.simulation.fleet;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.InMemoryAccountResolver;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.DescribedPartitions;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.Authentication;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallContext;
import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.call.InboundMeter;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.call.Strangers;
import dev.kvstore.dataplane.cluster.AnnouncementQueue;
import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.cluster.PeerCalls;
import dev.kvstore.dataplane.cluster.PeerToken;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.OtherRegions;
import dev.kvstore.dataplane.region.VerifiedBlockImporter;
import dev.kvstore.dataplane.service.Admission;
import dev.kvstore.dataplane.service.BlockIngest;
import dev.kvstore.dataplane.service.KvStoreService;
import dev.kvstore.dataplane.service.RequestAuthorisation;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.control.v1.Peer;
import dev.kvstore.simulation.world.HostSchedule;
import dev.kvstore.simulation.world.SimulatedHost;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A data plane of all of the product's own parts but the sockets. A thread of the host makes it. */
final class DataPlaneProcess {
    static final String RESOURCE = SimulatedAccount.RESOURCE;
    static final String KEY = "kv_" + SimulatedAccount.KEY_ID + "_not-a-secret-since-it-stands-here";

    private static final String KEY_SHA256 = Sha256.of(KEY);
    private static final Duration STALL = Duration.ofSeconds(30);

    /** The size of the memory tier, which is so small that blocks come and go. */
    private static final int TIER_BYTES = 6 * 8192;

    private static final int TRANSFER_BYTES = 8 << 20;
    private static final int FILTER_BYTES = 1 << 20;
    private static final int VERIFIED_BLOCKS = 100;
    private static final int CALLS = 64;

    private final Executor executor = Executors.newVirtualThreadPerTaskExecutor();
    private final MemoryPool memory;
    private final MemoryTier tier;
    private final Admission admission;
    private final Tiers tiers;
    private final Announcer announcer;
    private final Presence presence;
    private final HostSchedule schedule;
    private final Peer self;

    private final @Nullable JoinedDataPlane joined;

    /** @param cluster the cluster that the process joins; null for none */
    DataPlaneProcess(
            SimulatedHost host,
            int life,
            SimulatedNetwork network,
            RegionStores storage,
            FleetDisks disks,
            @Nullable JoiningCluster cluster) {
        Ticker ticker = System::nanoTime;
        AccountResolver accounts = new InMemoryAccountResolver(List.of(new InMemoryAccountResolver.Tenant(
                "tenant",
                List.of(new InMemoryAccountResolver.ConfiguredKey(SimulatedAccount.KEY_ID, KEY_SHA256)),
                List.of(storage.region().account()))));
        this.memory = new MemoryPool(TIER_BYTES + TRANSFER_BYTES + disks.queueBytes(), Duration.ofSeconds(1));
        StoreCache stores = new StoreCache(storage::open, ticker);
        PurgeRules purged = new PurgeRules(cluster == null);
        DiskTier disk = disks.tier(memory, stores::owner);
        this.tier = new MemoryTier(TIER_BYTES, key -> stores.owner(key.storage()), disk::demote);
        VerifiedBlocks blocks = new VerifiedBlocks(memory, stores::owner);
        this.tiers = new Tiers(tier, disk, purged, executor);
        PeerToken token = PeerToken.random(new SecureRandom());
        AnnouncementQueue.AnnouncementCounters told = new AnnouncementQueue.AnnouncementCounters();
        this.announcer = new Announcer(
                host.name(), peer -> new AnnouncementQueue(peer, network.channel(host, peer.getAddress()), told));
        this.schedule = new HostSchedule();
        this.presence = new Presence(
                tiers,
                memory,
                new Presence.PresenceCapacity(VERIFIED_BLOCKS, FILTER_BYTES),
                host.name(),
                ticker,
                new SecureRandom(),
                executor,
                new SimpleMeterRegistry(),
                new AnnouncementBeats(announcer, schedule));
        Heat heat = Heat.unheard();
        this.admission = new Admission(calls(ticker), calls(ticker));
        DescribedPartitions described = new DescribedPartitions(ticker);
        OtherRegions regions = new OtherRegions(
                new OtherRegions.RegionDependencies(
                        stores,
                        presence,
                        tiers,
                        memory,
                        new VerifiedBlockImporter(blocks, presence, memory, purged, described),
                        new AddedLatency(Duration.ZERO, Duration.ZERO)),
                TRANSFER_BYTES / 8,
                new SimpleMeterRegistry(),
                ticker,
                executor);
        KvStoreService service = new KvStoreService(
                new RequestAuthorisation(accounts, stores, blocks, presence, regions, memory),
                tiers,
                heat,
                new BlockIngest(blocks, tiers, presence, heat, described, memory),
                new ServiceLimits(TRANSFER_BYTES / 8, TRANSFER_BYTES / 2, TRANSFER_BYTES, Duration.ofSeconds(1), STALL),
                admission,
                executor);
        Drain drain = new Drain(Duration.ofSeconds(10), ticker);
        network.serve(
                host,
                List.of(service.bindService(), new PeerCalls(presence).bindService()),
                List.of(
                        drain,
                        new Authentication(
                                accounts, new Strangers(accounts, ticker, executor), "simulated", token::matches)),
                List.of(new InboundMeter(TRANSFER_BYTES), new CallMeter(new SimpleMeterRegistry()), new CallContext()));
        this.self = Peer.newBuilder()
                .setProcess(host.name())
                .setInstance(instance(host.name(), life))
                .setAddress(SimulatedNetwork.address(host.name()))
                .setToken(token.secret())
                .build();
        var _ = schedule.scheduleWithFixedDelay(
                () -> {
                    var _ = presence.beat();
                },
                Presence.BEAT.toMillis(),
                Presence.BEAT.toMillis(),
                TimeUnit.MILLISECONDS);
        this.joined = cluster == null
                ? null
                : new JoinedDataPlane(
                        host,
                        instance(host.name(), life),
                        cluster,
                        cluster.controlPlanes().stream()
                                .map(name -> network.channel(host, name))
                                .toList(),
                        new JoinedDataPlane.JoiningParts(
                                token, drain, announcer, accounts, purged, presence, stores, blocks));
    }

    private static CallAdmission calls(Ticker ticker) {
        return new CallAdmission(CALLS, CALLS, ticker, new SplittableRandom());
    }

    /** The instance of a data plane's process, which no other process ever has. */
    static String instance(String name, int life) {
        return "%s-%016d".formatted(name, life);
    }

    /** Whether the process holds a lease and knows so many peers. */
    boolean isJoined(int peers) {
        return joined != null && joined.isJoined() && joined.peers() == peers;
    }

    Peer self() {
        return self;
    }

    /** Makes the process tell these peers of stored blocks. */
    void tell(List<Peer> peers) {
        announcer.tell(peers);
    }

    /** The memory and call slots that the process holds, and must not hold while it has no call. */
    List<String> leaks() {
        List<String> leaks = new ArrayList<>();
        long lent = memory.usedBytes() - tier.usedBytes();
        if (lent != 0) {
            leaks.add(lent + " bytes of memory beside the tier");
        }
        for (CallAdmission calls : List.of(admission.blocks(), admission.lookups())) {
            if (calls.running() != 0 || calls.waiting() != 0) {
                leaks.add("slots of " + calls.running() + " running and " + calls.waiting() + " idle calls");
            }
        }
        return leaks;
    }

    /**
     * Makes the process do its last work, as before its end: leave its cluster, write its logs, and move its blocks to
     * its disks.
     */
    void lastBeat() {
        if (joined != null) {
            joined.leave();
        }
        schedule.shutdown();
        announcer.beat();
        presence.close();
        tiers.close();
    }

    /**
     * Gives the process's memory back, as the system does when a process has ended: all processes share one heap here.
     */
    void discard() {
        // The blocks do not go to the disks: nobody waits for the disks any more.
        new Tiers(tier, DiskTier.none(memory), executor).close();
    }
}
