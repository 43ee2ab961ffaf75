package dev.kvstore.clusters.route;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Rules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds fleets for tests, as of {@link #NOW}. */
final class TestFleets {
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final long GIGABYTE = 1_000_000_000;

    private final Set<String> regions = new HashSet<>();
    private final Map<Fleet.RegionPair, Duration> trips = new HashMap<>();
    private final List<FleetCluster> clusters = new ArrayList<>();

    TestFleets region(String name) {
        regions.add(name);
        return this;
    }

    TestFleets apart(String one, String other, int millis) {
        region(one).region(other).trips.put(Fleet.RegionPair.of(one, other), Duration.ofMillis(millis));
        return this;
    }

    TestFleets cluster(String name, String region, ClusterState state, List<ClusterMember> members) {
        region(region).clusters.add(new FleetCluster(name, region, state, null, members));
        return this;
    }

    /** The cluster that came last has this address for all of its processes. */
    TestFleets advertisedAt(String address) {
        FleetCluster last = clusters.removeLast();
        clusters.add(new FleetCluster(last.name(), last.region(), last.state(), address, last.members()));
        return this;
    }

    /** An active one. */
    TestFleets cluster(String name, String region, List<ClusterMember> members) {
        return cluster(name, region, ClusterState.ACTIVE, members);
    }

    /** An active one, some of whose processes are well, and idle. */
    TestFleets cluster(String name, String region, int well, int gone) {
        List<ClusterMember> members = new ArrayList<>();
        for (int i = 0; i < well + gone; i++) {
            ClusterMember member = member(name, i, GIGABYTE, 0);
            members.add(i < well ? member : leaseUntil(member, NOW));
        }
        return cluster(name, region, members);
    }

    Fleet build() {
        return new Fleet(
                NOW,
                regions,
                trips,
                clusters.stream()
                        .sorted(Comparator.comparing(FleetCluster::name))
                        .toList());
    }

    /** One that is well, and has been for long. */
    static ClusterMember member(String cluster, int number, long capacity, double cpu) {
        String name = "p%04d".formatted(number);
        return new ClusterMember(
                name,
                cluster + "-" + name,
                cluster + "." + name + ":8085",
                cluster + "." + name + ".far:8085",
                NOW.minus(Duration.ofHours(1)),
                NOW.plus(Rules.LEASE),
                false,
                new Capacity(capacity, 100, 0, 0, 4),
                new Load(0, 0, 0, cpu, 0, 0, 0, null, null, 0));
    }

    static ClusterMember leaseUntil(ClusterMember member, Instant end) {
        return with(member, member.joined(), end, member.draining());
    }

    static ClusterMember joined(ClusterMember member, Instant joined) {
        return with(member, joined, member.leaseEnd(), member.draining());
    }

    static ClusterMember draining(ClusterMember member) {
        return with(member, member.joined(), member.leaseEnd(), true);
    }

    private static ClusterMember with(ClusterMember member, Instant joined, Instant leaseEnd, boolean draining) {
        return new ClusterMember(
                member.name(),
                member.instance(),
                member.address(),
                member.remoteAddress(),
                joined,
                leaseEnd,
                draining,
                member.capacity(),
                member.load());
    }

    static Constraints anywhere(String home) {
        return new Constraints(home, Set.of(), Map.of(), 0);
    }

    static Route route(Fleet fleet, Constraints constraints, String region) {
        return Routing.of(fleet, Utilisation::now).route(constraints, region);
    }

    static List<Integer> shares(Route route) {
        return route.levels().stream().map(Route.Level::share).toList();
    }
}
