package dev.kvstore.clusters.route;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data planes that serve an account for a client. Immutable.
 *
 * @param version equal for routes with equal content, and only for these
 * @param region the region that the client counts as being in
 * @param levels in the order of preference; empty if no data plane serves the account
 */
public record Route(String version, String region, List<Level> levels) {
    /**
     * Data planes that are equally near to the client.
     *
     * @param roundTrip from the client's region; null if no round trip is registered
     * @param share of 1000 conversations; of all levels together 1000
     * @param panic whether the level is in panic: less than half of its data planes hold a lease, and no other level
     *     can take the work, so the targets include data planes without a lease
     */
    public record Level(String region, @Nullable Duration roundTrip, int share, boolean panic, List<Target> targets) {
        public Level {
            targets = List.copyOf(targets);
        }
    }

    /**
     * A process that takes work.
     *
     * @param address for this client
     * @param weight its share of the level's work, relative to the other targets; 1 to 1000
     */
    public record Target(String cluster, String process, String instance, String address, int weight) {}

    public Route {
        levels = List.copyOf(levels);
    }

    static Route of(String region, List<Level> levels) {
        return new Route(RouteVersion.of(region, levels), region, levels);
    }
}
