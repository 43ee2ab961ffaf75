package dev.kvstore.clusters.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All regions, clusters and processes as the database had them. Immutable.
 *
 * @param at when it was read. Leases are judged as of then: what has happened since nobody knows, so while the database does
 *     not answer nobody loses a place
 * @param regions all names
 * @param roundTrips what is known of how far regions are apart, each pair once
 * @param clusters in the order of their names
 */
public record Fleet(Instant at, Set<String> regions, Map<Pair, Duration> roundTrips, List<FleetCluster> clusters) {
    /**
     * Two regions.
     *
     * @param one the lesser name
     */
    public record Pair(String one, String other) {
        /** In whichever order they are said. */
        public static Pair of(String a, String b) {
            return a.compareTo(b) < 0 ? new Pair(a, b) : new Pair(b, a);
        }
    }

    public Fleet {
        regions = Set.copyOf(regions);
        roundTrips = Map.copyOf(roundTrips);
        clusters = List.copyOf(clusters);
    }

    /** How far two regions are apart; zero for the same, empty if nobody said. */
    public Optional<Duration> roundTrip(String a, String b) {
        return a.equals(b) ? Optional.of(Duration.ZERO) : Optional.ofNullable(roundTrips.get(Pair.of(a, b)));
    }
}
