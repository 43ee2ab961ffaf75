package dev.kvstore.clusters.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All regions, clusters and data planes as the database had them at one moment. Immutable.
 *
 * @param at the time of the reading. Leases are judged as of this moment, so no data plane leaves a route while the
 *     database does not answer
 * @param regions all names
 * @param roundTrips registered round trips between regions, each pair once
 * @param clusters in the order of their names
 */
public record Fleet(
        Instant at, Set<String> regions, Map<RegionPair, Duration> roundTrips, List<FleetCluster> clusters) {
    /**
     * A pair of regions.
     *
     * @param one the lesser name
     */
    public record RegionPair(String one, String other) {
        /** The pair of two regions, in either order. */
        public static RegionPair of(String a, String b) {
            return a.compareTo(b) < 0 ? new RegionPair(a, b) : new RegionPair(b, a);
        }
    }

    public Fleet {
        regions = Set.copyOf(regions);
        roundTrips = Map.copyOf(roundTrips);
        clusters = List.copyOf(clusters);
    }

    /** The round trip between two regions; zero for the same region, empty if none is registered. */
    public Optional<Duration> roundTrip(String a, String b) {
        return a.equals(b) ? Optional.of(Duration.ZERO) : Optional.ofNullable(roundTrips.get(RegionPair.of(a, b)));
    }
}
