package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.cluster.AnnouncementQueue;
import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.cluster.Instructed;
import dev.kvstore.dataplane.cluster.Membership;
import dev.kvstore.dataplane.cluster.PeerCalls;
import dev.kvstore.dataplane.cluster.PeerToken;
import dev.kvstore.dataplane.cluster.ProcessLoad;
import dev.kvstore.dataplane.cluster.Self;
import dev.kvstore.dataplane.heat.Heat;
import dev.kvstore.dataplane.heat.HeatReporter;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.purge.Purger;
import dev.kvstore.dataplane.region.VerifiedBlockImporter;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.service.Admission;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.dataplane.warming.Warmed;
import dev.kvstore.dataplane.warming.Warmer;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.settings.Version;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/** Puts together the parts that make a process a member of its cluster. */
@Singleton
public final class ClusterWiring {
    /** At most a quarter of the memory for blocks on their way holds blocks that no client waits for. */
    private static final int WARMING_PART = 4;

    private final DataPlaneSettings settings;

    ClusterWiring(DataPlaneSettings settings) {
        this.settings = settings;
    }

    @Produces
    @Singleton
    PeerToken token() {
        return PeerToken.random(new SecureRandom());
    }

    @Produces
    @Singleton
    AnnouncementQueue.AnnouncementCounters told() {
        return new AnnouncementQueue.AnnouncementCounters();
    }

    @Produces
    @Singleton
    Announcer announcer(Optional<ListenerTls> tls, AnnouncementQueue.AnnouncementCounters counters)
            throws BadPemException {
        PeerChannels channels = PeerChannels.of(settings, tls);
        return new Announcer(
                settings.nodeName(), peer -> new AnnouncementQueue(peer, channels.to(peer.getAddress()), counters));
    }

    void close(@Disposes Announcer announcer) {
        announcer.close();
    }

    @Produces
    @Singleton
    PeerCalls peerCalls(Presence presence) {
        return new PeerCalls(presence);
    }

    @Produces
    @Singleton
    ProcessLoad load(Admission admission, CallMeter calls, MemoryPool pool, MemoryTier memory, DiskTier disk) {
        long bandwidth = settings.networkBandwidth().asLongValue();
        return new ProcessLoad(
                bandwidth == 0 ? Bandwidth.ofMachine(Path.of("/sys/class/net")) : bandwidth,
                admission,
                calls,
                pool,
                memory,
                disk);
    }

    /** A member that has not begun; none if no cluster is to be joined. */
    @Produces
    @Singleton
    Optional<Membership> membership(
            Optional<ControlPlaneReplicas> plane,
            PeerToken token,
            ProcessLoad load,
            Drain drain,
            Announcer announcer,
            AccountResolver accounts) {
        if (settings.cluster().isEmpty() || plane.isEmpty()) {
            return Optional.empty();
        }
        Self self = new Self(
                settings.cluster().get(),
                settings.nodeName(),
                UUID.randomUUID().toString(),
                settings.advertise().orElseThrow(),
                settings.advertiseRemote().orElse(""),
                settings.numaNode(),
                token,
                Version.text());
        return Optional.of(new Membership(
                plane.get(),
                self,
                load,
                new Instructed(drain, announcer, accounts),
                InstantSource.system(),
                new SplittableRandom()));
    }

    /** The heat reports of a member of a cluster; other data planes have no lease to show. */
    @Produces
    @Singleton
    Optional<HeatReporter> heatReports(
            Optional<ControlPlaneReplicas> plane, Optional<Membership> membership, Heat heat) {
        return membership.map(member -> new HeatReporter(plane.orElseThrow(), heat, member::lease));
    }

    /** The purger of a member of a cluster; other processes hear of no purges. */
    @Produces
    @Singleton
    Optional<Purger> purger(
            Optional<ControlPlaneReplicas> plane,
            Optional<Membership> membership,
            PurgeRules rules,
            Presence presence,
            StoreCache stores,
            VerifiedBlocks blocks) {
        return membership.map(
                member -> new Purger(plane.orElseThrow(), member::lease, rules, presence, stores, blocks));
    }

    @Produces
    @Singleton
    Warmed warmed() {
        return new Warmed();
    }

    /** The warmer of a member of a cluster; other processes have none. */
    @Produces
    @Singleton
    Optional<Warmer> warmer(
            Optional<ControlPlaneReplicas> plane,
            Optional<Membership> membership,
            StoreCache stores,
            VerifiedBlocks blocks,
            Presence presence,
            Tiers tiers,
            MemoryPool memory,
            VerifiedBlockImporter importer,
            Admission admission,
            Drain drain,
            Warmed warmed) {
        CallAdmission calls = admission.blocks();
        long bytes =
                Math.max(BlockStore.MAX_BLOB_BYTES, settings.transferMemory().asLongValue() / WARMING_PART);
        return membership.map(member -> new Warmer(
                plane.orElseThrow(),
                member::lease,
                new Warmer.WarmerDependencies(
                        stores,
                        blocks,
                        presence,
                        tiers,
                        memory,
                        importer,
                        new AddedLatency(settings.addedRegionLatency(), settings.addedRegionLatency())),
                warmed,
                bytes,
                () -> calls.running() > calls.limit() / 2 || memory.refusing().isPositive(),
                drain::isWanted));
    }
}
