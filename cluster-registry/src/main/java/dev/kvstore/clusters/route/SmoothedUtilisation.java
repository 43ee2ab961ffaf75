package dev.kvstore.clusters.route;

import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Rules;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Utilisation smoothed over {@link Rules#STEADYING}, and held until the headroom has changed by {@link Rules#HOLD};
 * data planes in their slow start are not held. Without this, work would swing between data planes, and routes would
 * change with every heartbeat. Only this utilisation depends on earlier fleets; the values of other control planes
 * converge to it. Immutable.
 */
public final class SmoothedUtilisation implements Utilisation {
    /** The utilisation before the first fleet. */
    public static final SmoothedUtilisation NOTHING = new SmoothedUtilisation(null, Map.of());

    /** The smoothed and the held utilisation of a data plane. */
    private record UtilisationHistory(double smooth, double held) {}

    private final @Nullable Instant at;
    private final Map<String, UtilisationHistory> byInstance;

    private SmoothedUtilisation(@Nullable Instant at, Map<String, UtilisationHistory> byInstance) {
        this.at = at;
        this.byInstance = byInstance;
    }

    /** The utilisation after one more fleet. Data planes that are not in that fleet are forgotten. */
    public SmoothedUtilisation next(Fleet fleet) {
        double seconds =
                at == null ? 0 : Math.max(0, Duration.between(at, fleet.at()).toNanos() / 1e9);
        double step = -Math.expm1(-seconds / Rules.STEADYING.toSeconds());
        Map<String, UtilisationHistory> next = new HashMap<>();
        for (FleetCluster cluster : fleet.clusters()) {
            for (ClusterMember member : cluster.members()) {
                // During slow start the reported load rises from nothing, and is not the load of later.
                boolean starts = member.joined().plus(Rules.SLOW_START).isAfter(fleet.at());
                UtilisationHistory before = starts ? null : byInstance.get(member.instance());
                next.put(member.instance(), next(before, Utilisation.now(member), step));
            }
        }
        return new SmoothedUtilisation(fleet.at(), next);
    }

    private static UtilisationHistory next(@Nullable UtilisationHistory before, double now, double step) {
        if (before == null) {
            return new UtilisationHistory(now, now);
        }
        double smooth = before.smooth() + step * (now - before.smooth());
        double slack = Math.max(Rules.ROOM_FLOOR, Rules.HOLD * (1 - before.held()));
        return new UtilisationHistory(smooth, Math.abs(smooth - before.held()) > slack ? smooth : before.held());
    }

    @Override
    public double of(ClusterMember member) {
        UtilisationHistory course = byInstance.get(member.instance());
        return course == null ? Utilisation.now(member) : course.held();
    }
}
