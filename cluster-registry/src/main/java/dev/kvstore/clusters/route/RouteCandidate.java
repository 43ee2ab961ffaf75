package dev.kvstore.clusters.route;

import dev.kvstore.clusters.address.Address;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Rules;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A data plane of an active cluster that does not drain. Immutable.
 *
 * @param advertised the address at which clients reach its cluster, host:port or a host alone; null for each process'
 *     own address
 * @param well whether it holds a lease
 * @param capacity in bytes per second
 * @param headroom the part of the capacity that is not in use; never 0
 * @param worth headroom, less while it starts slowly
 * @param room the part of the capacity that counts as free when levels spill
 * @param ticket for the lots
 */
record RouteCandidate(
        String cluster,
        @Nullable String advertised,
        ClusterMember member,
        boolean well,
        double capacity,
        double headroom,
        double worth,
        double room,
        long ticket) {
    static RouteCandidate of(FleetCluster cluster, ClusterMember member, double utilisation, Instant now) {
        double free = Math.max(Rules.ROOM_FLOOR, 1 - utilisation);
        double capacity = Math.max(1, member.capacity().bytesPerSecond());
        return new RouteCandidate(
                cluster.name(),
                cluster.advertised(),
                member,
                member.hasLease(now),
                capacity,
                capacity * free,
                capacity * free * started(member.joined(), now),
                capacity * Math.min(1, free / Rules.ROOM),
                AccountHash.ticket(cluster.name() + "/" + member.name()));
    }

    /**
     * The part of its full weight that a data plane has which joined at a given time; rises in steps during the slow
     * start.
     */
    static double started(Instant joined, Instant now) {
        Duration since = Duration.between(joined, now);
        if (since.compareTo(Rules.SLOW_START) >= 0) {
            return 1;
        }
        Duration step = Rules.SLOW_START.dividedBy(Rules.SLOW_START_STEPS);
        long steps = since.isNegative() ? 0 : since.dividedBy(step);
        return Math.max(Rules.SLOW_START_FLOOR, (double) steps / Rules.SLOW_START_STEPS);
    }

    Route.Target target(boolean near, double most) {
        int weight = Math.clamp(Math.round(1000 * worth / most), 1, 1000);
        String own = near ? member.address() : member.remoteAddress();
        return new Route.Target(
                cluster,
                member.name(),
                member.instance(),
                advertised == null ? own : Address.advertised(advertised, own),
                weight);
    }
}
