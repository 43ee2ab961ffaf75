package dev.kvstore.clusters.route;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Rules;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Explains a route: why each cluster is in it or out of it. */
final class Reasons {
    private final Fleet fleet;
    private final Map<String, List<RoutedCluster>> byRegion;
    private final Constraints constraints;
    private final Route route;

    /** The numbers of the levels that clusters are in, from 1. */
    private final Map<String, Integer> levels = new HashMap<>();

    Reasons(Fleet fleet, Map<String, List<RoutedCluster>> byRegion, Constraints constraints, Route route) {
        this.fleet = fleet;
        this.byRegion = byRegion;
        this.constraints = constraints;
        this.route = route;
        for (int i = 0; i < route.levels().size(); i++) {
            for (Route.Target target : route.levels().get(i).targets()) {
                levels.put(target.cluster(), i + 1);
            }
        }
    }

    List<Reason> all() {
        Map<String, RoutedCluster> standings = new HashMap<>();
        byRegion.values()
                .forEach(some -> some.forEach(routedCluster -> standings.put(routedCluster.cluster(), routedCluster)));
        return fleet.clusters().stream()
                .map(cluster -> new Reason(
                        cluster.name(),
                        cluster.region(),
                        levels.containsKey(cluster.name()),
                        text(cluster, standings.get(cluster.name()))))
                .toList();
    }

    private String text(FleetCluster cluster, @Nullable RoutedCluster routedCluster) {
        if (cluster.state() != ClusterState.ACTIVE || routedCluster == null) {
            return cluster.state().name().toLowerCase(Locale.ROOT);
        }
        if (!constraints.allows(cluster.region())) {
            return constraints.avoided().contains(cluster.region())
                    ? "the account avoids this region"
                    : "not in one of the account's allowed regions";
        }
        Constraints.Placed placed = constraints.placements().get(cluster.region());
        String place = "";
        if (placed != null && placed.cluster().equals(cluster.name())) {
            place = placed.pinned() ? ", pinned" : ", placed here";
        } else if (placed != null && placed.pinned()) {
            return "in this region the account is pinned to " + placed.cluster();
        }
        String state = state(cluster, routedCluster) + place;
        Integer level = levels.get(cluster.name());
        if (level != null) {
            Route.Level in = route.levels().get(level - 1);
            return state + (in.panic() ? ", panic" : "") + "; level " + level + " has " + in.share() + " of 1000";
        }
        if (routedCluster.well() == 0) {
            return state;
        }
        return state + "; " + (isBeyond(cluster.region()) ? "nearer levels suffice" : "the lot drew other clusters");
    }

    /** Whether the route has no level in a region. */
    private boolean isBeyond(String region) {
        return route.levels().stream().noneMatch(level -> level.region().equals(region));
    }

    private static String state(FleetCluster cluster, RoutedCluster routedCluster) {
        int members = cluster.members().size();
        if (members == 0) {
            return "has no processes";
        }
        int drain = members - routedCluster.candidates().size();
        return routedCluster.well() + " of " + members + " processes " + (routedCluster.well() == 1 ? "is" : "are")
                + " well"
                + (drain > 0 ? ", " + drain + " drain" : "")
                + (routedCluster.well() > 0 ? ", " + Math.round(100 * routedCluster.headroom()) + " % headroom" : "")
                + (routedCluster.candidates().size() > Rules.TARGETS.getFirst() ? ", some by lot" : "");
    }
}
