package dev.kvstore.simulation.fleet;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.cluster.Announcer;
import dev.kvstore.dataplane.cluster.Instructed;
import dev.kvstore.dataplane.cluster.Membership;
import dev.kvstore.dataplane.cluster.PeerToken;
import dev.kvstore.dataplane.cluster.Self;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.purge.Purger;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.simulation.world.HostSchedule;
import dev.kvstore.simulation.world.SimulatedHost;
import io.grpc.ManagedChannel;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The membership of a data plane in its cluster: its lease, the peers that it is told of, and the purges that it
 * follows. A thread of the host makes it.
 */
final class JoinedDataPlane {
    /**
     * The time of two tries of a watch of accounts. A watch, which the simulation lacks, makes gRPC connect at once.
     */
    private static final long CONNECTING_MILLIS = 2_000;

    private final Announcer announcer;
    private final Membership membership;
    private final Purger purger;

    /** The parts of the process that membership uses. */
    record JoiningParts(
            PeerToken token,
            Drain drain,
            Announcer announcer,
            AccountResolver accounts,
            PurgeRules rules,
            Presence presence,
            StoreCache stores,
            VerifiedBlocks blocks) {}

    /** The load of a process that is as busy as all others. */
    private enum EqualLoad implements Membership.Gauges {
        OF_ALL;

        @Override
        public Capacity capacity() {
            return Capacity.newBuilder().setOperations(100).setCpus(2).build();
        }

        @Override
        public Load load() {
            return Load.newBuilder().setOperations(1).build();
        }
    }

    JoinedDataPlane(
            SimulatedHost host,
            String instance,
            JoiningCluster cluster,
            List<ManagedChannel> channels,
            JoiningParts parts) {
        this.announcer = parts.announcer();
        ControlPlaneReplicas replicas = ControlPlaneReplicas.over(channels, new JoinToken(cluster.joinToken()));
        this.membership = new Membership(
                replicas,
                new Self(
                        cluster.name(),
                        host.name(),
                        instance,
                        SimulatedNetwork.address(host.name()),
                        "",
                        OptionalInt.empty(),
                        parts.token(),
                        "simulated"),
                EqualLoad.OF_ALL,
                new Instructed(parts.drain(), parts.announcer(), parts.accounts()),
                InstantSource.system(),
                new SplittableRandom());
        this.purger = new Purger(
                replicas, membership::lease, parts.rules(), parts.presence(), parts.stores(), parts.blocks());
        parts.drain().whenChanged(membership::hurry);
        membership.start();
        purger.start();
        var _ = new HostSchedule()
                .scheduleWithFixedDelay(
                        () -> channels.forEach(ManagedChannel::resetConnectBackoff),
                        CONNECTING_MILLIS,
                        CONNECTING_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** Whether the data plane holds a lease. */
    boolean isJoined() {
        return membership.isJoined();
    }

    int peers() {
        return announcer.peers();
    }

    /** Gives the lease back. */
    void leave() {
        purger.close();
        announcer.beat();
        membership.close();
    }
}
