package dev.kvstore.control.route;

import dev.kvstore.clusters.route.Reason;
import dev.kvstore.clusters.route.Route;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which processes serve an account for a client, as callers see it.
 *
 * @param region where the client is taken to be
 * @param levels in the order of preference; none if nothing serves
 * @param reasons only if asked for
 */
public record RouteView(
        String resourceName,
        String version,
        String region,
        List<LevelView> levels,
        @Nullable List<Reason> reasons) {
    /**
     * Processes as near as each other.
     *
     * @param roundTripMicros from the client's region; null if nobody said
     * @param share of 1000 conversations
     */
    public record LevelView(
            String region, @Nullable Long roundTripMicros, int share, boolean panic, List<Route.Target> targets) {}

    static RouteView of(String resourceName, Route route, @Nullable List<Reason> reasons) {
        return new RouteView(
                resourceName,
                route.version(),
                route.region(),
                route.levels().stream().map(RouteView::of).toList(),
                reasons);
    }

    private static LevelView of(Route.Level level) {
        Duration trip = level.roundTrip();
        return new LevelView(
                level.region(),
                trip == null ? null : trip.toNanos() / 1_000,
                level.share(),
                level.panic(),
                level.targets());
    }
}
