package dev.kvstore.clusters.route;

import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Member;
import dev.kvstore.clusters.fleet.Rules;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Utilisation over the last fleets that were read: smoothed over {@link Rules#STEADYING}, and kept until the headroom has
 * changed by {@link Rules#HOLD}, but for processes that start slowly. So work does not swing between processes, each taking what the other has just been
 * relieved of, and a route changes only where something has changed. It depends on what came before by no more than that;
 * another replica's converges to it. Immutable.
 */
public final class Steadied implements Utilisation {
    /** Before the first fleet. */
    public static final Steadied NOTHING = new Steadied(null, Map.of());

    /** What became of a process's utilisation. */
    private record Course(double smooth, double held) {}

    private final @Nullable Instant at;
    private final Map<String, Course> byInstance;

    private Steadied(@Nullable Instant at, Map<String, Course> byInstance) {
        this.at = at;
        this.byInstance = byInstance;
    }

    /** With one more fleet; processes that are not in it are forgotten. */
    public Steadied next(Fleet fleet) {
        double seconds =
                at == null ? 0 : Math.max(0, Duration.between(at, fleet.at()).toNanos() / 1e9);
        double step = -Math.expm1(-seconds / Rules.STEADYING.toSeconds());
        Map<String, Course> next = new HashMap<>();
        for (FleetCluster cluster : fleet.clusters()) {
            for (Member member : cluster.members()) {
                // What it says while it starts slowly was nothing at first, and is not what it will be.
                boolean starts = member.joined().plus(Rules.SLOW_START).isAfter(fleet.at());
                Course before = starts ? null : byInstance.get(member.instance());
                next.put(member.instance(), next(before, Utilisation.now(member), step));
            }
        }
        return new Steadied(fleet.at(), next);
    }

    private static Course next(@Nullable Course before, double now, double step) {
        if (before == null) {
            return new Course(now, now);
        }
        double smooth = before.smooth() + step * (now - before.smooth());
        double slack = Math.max(Rules.ROOM_FLOOR, Rules.HOLD * (1 - before.held()));
        return new Course(smooth, Math.abs(smooth - before.held()) > slack ? smooth : before.held());
    }

    @Override
    public double of(Member member) {
        Course course = byInstance.get(member.instance());
        return course == null ? Utilisation.now(member) : course.held();
    }
}
