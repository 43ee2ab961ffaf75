package dev.kvstore.clusters.route;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Rules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Computes routes of one fleet. The same fleet, utilisation and constraints give the same route at every control plane.
 * Immutable; everything that depends on the fleet alone is computed once.
 */
public final class Routing {
    private final Fleet fleet;
    private final Map<String, List<RoutedCluster>> byRegion = new HashMap<>();

    private Routing(Fleet fleet) {
        this.fleet = fleet;
    }

    public static Routing of(Fleet fleet, Utilisation utilisation) {
        Routing routing = new Routing(fleet);
        for (FleetCluster cluster : fleet.clusters()) {
            if (cluster.state() == ClusterState.ACTIVE) {
                routing.byRegion
                        .computeIfAbsent(cluster.region(), _ -> new ArrayList<>())
                        .add(RoutedCluster.of(cluster, utilisation, fleet.at()));
            }
        }
        return routing;
    }

    /**
     * The region that a client counts as being in: the region that it names, or the account's home if that region is
     * not known.
     */
    public String viewpoint(Constraints constraints, String region) {
        return fleet.regions().contains(region) ? region : constraints.home();
    }

    /**
     * The route of an account for a client.
     *
     * @param region the region that the client names; if it is not known, the account's home region is used
     */
    public Route route(Constraints constraints, String region) {
        String viewpoint = viewpoint(constraints, region);
        List<CandidateLevel> pools = levels(constraints, viewpoint);
        if (pools.isEmpty()) {
            return Route.of(viewpoint, List.of());
        }
        boolean panic = !Shares.suffice(pools);
        List<Integer> shares = Shares.of(pools);
        List<Route.Level> levels = new ArrayList<>();
        for (int i = 0; i < pools.size(); i++) {
            CandidateLevel pool = pools.get(i);
            boolean all = panic && pool.isBroken();
            levels.add(new Route.Level(
                    pool.region(),
                    fleet.roundTrip(viewpoint, pool.region()).orElse(null),
                    shares.get(i),
                    all,
                    targets(
                            pool.draw(constraints.lot(), Rules.TARGETS.get(i), all),
                            pool.region().equals(viewpoint))));
        }
        return Route.of(viewpoint, levels);
    }

    private static List<Route.Target> targets(List<RouteCandidate> candidates, boolean near) {
        double most =
                candidates.stream().mapToDouble(RouteCandidate::worth).max().orElse(1);
        return candidates.stream()
                .map(candidate -> candidate.target(near, most))
                .toList();
    }

    /**
     * The levels of a route: the first pools that have data planes with leases. If there are few such pools and they
     * cannot take all work, the first pools without leases follow. The best pool is first in any case.
     */
    private List<CandidateLevel> levels(Constraints constraints, String viewpoint) {
        List<CandidateLevel> pools = pools(constraints, viewpoint);
        List<CandidateLevel> well = first(Rules.TARGETS.size(), pools, pool -> pool.well() > 0);
        if (Shares.suffice(well)) {
            return well;
        }
        Set<CandidateLevel> chosen = Collections.newSetFromMap(new IdentityHashMap<>());
        chosen.addAll(well);
        chosen.addAll(first(Rules.TARGETS.size() - well.size(), pools, pool -> pool.well() == 0));
        return pools.stream().filter(chosen::contains).toList();
    }

    private static List<CandidateLevel> first(int most, List<CandidateLevel> pools, Predicate<CandidateLevel> which) {
        return pools.stream().filter(which).limit(most).toList();
    }

    /** All pools that may serve the account, the best first. */
    private List<CandidateLevel> pools(Constraints constraints, String viewpoint) {
        List<CandidateLevel> pools = new ArrayList<>();
        for (String region : regions(constraints, viewpoint)) {
            List<RoutedCluster> standings = byRegion.getOrDefault(region, List.of());
            Constraints.Placed placed = constraints.placements().get(region);
            if (placed == null) {
                pools.add(CandidateLevel.of(region, standings));
                continue;
            }
            pools.add(CandidateLevel.of(
                    region,
                    standings.stream()
                            .filter(routedCluster -> routedCluster.cluster().equals(placed.cluster()))
                            .toList()));
            if (!placed.pinned()) {
                pools.add(CandidateLevel.of(
                        region,
                        standings.stream()
                                .filter(routedCluster ->
                                        !routedCluster.cluster().equals(placed.cluster()))
                                .toList()));
            }
        }
        pools.removeIf(pool -> pool.count() == 0);
        return pools;
    }

    /**
     * The clusters of a region on which an account may be placed: active clusters that have a data plane with a lease.
     * The values are their headroom in bytes per second, by name.
     */
    public SortedMap<String, Double> vacancies(String region) {
        SortedMap<String, Double> vacancies = new TreeMap<>();
        for (RoutedCluster routedCluster : byRegion.getOrDefault(region, List.of())) {
            if (routedCluster.well() > 0) {
                vacancies.put(routedCluster.cluster(), routedCluster.free());
            }
        }
        return vacancies;
    }

    private List<String> regions(Constraints constraints, String viewpoint) {
        Comparator<String> nearest = Comparator.comparing(
                region -> fleet.roundTrip(viewpoint, region).orElse(Duration.ofSeconds(Long.MAX_VALUE)));
        Comparator<String> order =
                isHomeDown(constraints) ? warmest(constraints, viewpoint).thenComparing(nearest) : nearest;
        return byRegion.keySet().stream()
                .filter(constraints::allows)
                .sorted(order.thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /**
     * Compares regions for an account whose home is down: a region without a storage of its own uses the home's
     * storage, which may be down, too.
     */
    private static Comparator<String> warmest(Constraints constraints, String viewpoint) {
        return Comparator.comparing((String region) -> constraints.warmth(region) == Warmth.NONE)
                .thenComparing(region -> !region.equals(viewpoint))
                .thenComparing(constraints::warmth, Comparator.reverseOrder());
    }

    /** Whether an account with storages in several regions has no data plane with a lease in its home region. */
    private boolean isHomeDown(Constraints constraints) {
        return !constraints.warmth().isEmpty()
                && byRegion.getOrDefault(constraints.home(), List.of()).stream()
                        .allMatch(routedCluster -> routedCluster.well() == 0);
    }

    /** The reason why each cluster is in a route of this fleet or out of it, sorted by the clusters' names. */
    public List<Reason> reasons(Constraints constraints, Route route) {
        return new Reasons(fleet, byRegion, constraints, route).all();
    }
}
