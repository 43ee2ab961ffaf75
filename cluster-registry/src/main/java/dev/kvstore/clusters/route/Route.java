package dev.kvstore.clusters.route;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which processes serve an account for a client. Immutable.
 *
 * @param version equal if all the rest is, and only then
 * @param region where the client is taken to be
 * @param levels in the order of preference; none if nothing serves
 */
public record Route(String version, String region, List<Level> levels) {
    /**
     * Processes as near as each other.
     *
     * @param roundTrip from the client's region; null if nobody said
     * @param share of 1000 conversations; of all levels together 1000
     * @param panic less than half of it is well and no other level can take its work: processes without leases are among
     *     the targets
     */
    public record Level(String region, @Nullable Duration roundTrip, int share, boolean panic, List<Target> targets) {
        public Level {
            targets = List.copyOf(targets);
        }
    }

    /**
     * A process.
     *
     * @param address for this client
     * @param weight of the level's work, in comparison; 1 to 1000
     */
    public record Target(String cluster, String process, String instance, String address, int weight) {}

    public Route {
        levels = List.copyOf(levels);
    }

    static Route of(String region, List<Level> levels) {
        return new Route(Version.of(region, levels), region, levels);
    }
}
