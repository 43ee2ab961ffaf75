package dev.kvstore.control.route;

import dev.kvstore.clusters.route.Reason;
import dev.kvstore.clusters.route.Route;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data planes that serve an account for a client, as admins see them.
 *
 * @param region the region that the client counts as being in
 * @param levels in the order of preference; empty if no data plane serves the account
 * @param reasons only if asked for
 */
public record RouteView(
        String resourceName,
        String version,
        String region,
        List<LevelView> levels,
        @Nullable List<Reason> reasons) {
    /**
     * Data planes that are equally near to the client.
     *
     * @param roundTripMicros from the client's region; null if no round trip is registered
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
