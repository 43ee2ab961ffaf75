package dev.kvstore.client.internal.routing;

import java.util.List;

/**
 * The data planes that serve an account, as the control plane names them. Immutable.
 *
 * @param version equal for routes with equal content
 * @param levels in the order of preference
 */
public record Route(String version, List<Level> levels) {
    public static final Route NONE = new Route("", List.of());

    public Route {
        levels = List.copyOf(levels);
    }

    /**
     * Data planes that are equally near to the client.
     *
     * @param share the part of conversations that belongs to this level, relative to the other levels' shares; 0 or
     *     more
     */
    public record Level(String region, int share, List<Target> targets) {
        public Level {
            targets = List.copyOf(targets);
            if (share < 0) {
                throw new IllegalArgumentException("share: must be 0 or more, not " + share);
            }
        }
    }

    /**
     * A data plane.
     *
     * @param id the name, equal over restarts
     * @param instance the id of the start, different for every start
     * @param address {@code host:port}
     * @param weight the data plane's part of the level's work, relative to the other targets; 1 or more
     */
    public record Target(String id, String instance, String address, int weight) {
        public Target {
            if (weight < 1) {
                throw new IllegalArgumentException("weight: must be 1 or more, not " + weight);
            }
        }
    }

    /** A route of fixed endpoints, in one level with equal weights. */
    public static Route fixed(List<String> addresses) {
        return new Route(
                "fixed",
                List.of(new Level(
                        "",
                        1,
                        addresses.stream()
                                .map(address -> new Target(address, "", address, 1))
                                .toList())));
    }

    /** The number of data planes. */
    public int size() {
        return levels.stream().mapToInt(level -> level.targets().size()).sum();
    }
}
