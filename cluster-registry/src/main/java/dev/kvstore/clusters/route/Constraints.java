package dev.kvstore.clusters.route;

import dev.kvstore.clusters.fleet.Rules;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * The constraints of an account's routes. Accounts with equal constraints have equal routes. Immutable.
 *
 * @param home the account's home region
 * @param regions regions in which the account may be served; empty for all
 * @param avoided regions in which the account is not served for now
 * @param warmth of the regions in which the account has a storage; empty if only the home region has one
 * @param placements by region
 * @param lot 0 to {@link Rules#LOTS} - 1: the lot that selects the account's processes of a level with more than a
 *     route names
 */
public record Constraints(
        String home,
        Set<String> regions,
        Set<String> avoided,
        Map<String, Warmth> warmth,
        Map<String, Placed> placements,
        int lot) {
    /**
     * The cluster of a region that serves the account.
     *
     * @param pinned whether no other cluster of the region serves the account; if not, this cluster only comes first,
     *     since it has the account's blocks in memory
     */
    public record Placed(String cluster, boolean pinned) {}

    public Constraints {
        regions = Set.copyOf(regions);
        avoided = Set.copyOf(avoided);
        warmth = Map.copyOf(warmth);
        placements = Map.copyOf(placements);
    }

    /** The constraints of an account with one storage. */
    public Constraints(String home, Set<String> regions, Map<String, Placed> placements, int lot) {
        this(home, regions, Set.of(), Map.of(), placements, lot);
    }

    /** The constraints of an account; the account's name decides its lot. */
    public static Constraints of(
            String resourceName,
            String home,
            Collection<String> regions,
            Collection<String> avoided,
            Map<String, Warmth> warmth,
            Map<String, Placed> placements) {
        return new Constraints(
                home, Set.copyOf(regions), Set.copyOf(avoided), warmth, placements, AccountHash.of(resourceName));
    }

    /** Whether the account may be served in a region. */
    public boolean allows(String region) {
        return (regions.isEmpty() || regions.contains(region)) && !avoided.contains(region);
    }

    /** The part of the account that a region has. */
    Warmth warmth(String region) {
        return warmth.getOrDefault(region, Warmth.NONE);
    }
}
