package dev.kvstore.clusters.route;

import dev.kvstore.clusters.fleet.FleetCluster;
import java.time.Instant;
import java.util.List;

/**
 * An active cluster as routes see it. Immutable.
 *
 * @param candidates sorted by name
 * @param well the number of candidates with a lease
 * @param capacity of all, in bytes per second
 * @param room of the healthy data planes
 */
record RoutedCluster(
        String cluster, String region, List<RouteCandidate> candidates, int well, double capacity, double room) {
    static RoutedCluster of(FleetCluster cluster, Utilisation utilisation, Instant now) {
        List<RouteCandidate> candidates = cluster.members().stream()
                .filter(member -> !member.draining())
                .map(member -> RouteCandidate.of(cluster, member, utilisation.of(member), now))
                .toList();
        int well = 0;
        double capacity = 0;
        double room = 0;
        for (RouteCandidate candidate : candidates) {
            capacity += candidate.capacity();
            if (candidate.well()) {
                well++;
                room += candidate.room();
            }
        }
        return new RoutedCluster(cluster.name(), cluster.region(), candidates, well, capacity, room);
    }

    /** The bytes per second that the cluster's data planes with leases could take now. */
    double free() {
        return candidates.stream()
                .filter(RouteCandidate::well)
                .mapToDouble(RouteCandidate::headroom)
                .sum();
    }

    /** The part of the capacity of data planes with leases that is free. */
    double headroom() {
        double all = candidates.stream()
                .filter(RouteCandidate::well)
                .mapToDouble(RouteCandidate::capacity)
                .sum();
        return all == 0 ? 0 : free() / all;
    }
}
