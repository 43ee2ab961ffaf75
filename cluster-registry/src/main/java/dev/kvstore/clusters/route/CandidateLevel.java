package dev.kvstore.clusters.route;

import dev.kvstore.clusters.fleet.Rules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Clusters that may become a level of a route. Immutable.
 *
 * @param count the number of processes, with leases or without
 * @param availability the part of all work that the level can take; 0 to 1
 */
record CandidateLevel(String region, List<RoutedCluster> standings, int count, int well, double availability) {
    static CandidateLevel of(String region, List<RoutedCluster> standings) {
        int count = 0;
        int well = 0;
        double capacity = 0;
        double room = 0;
        for (RoutedCluster cluster : standings) {
            count += cluster.candidates().size();
            well += cluster.well();
            capacity += cluster.capacity();
            room += cluster.room();
        }
        double availability = capacity == 0 ? 0 : Math.min(1, Rules.OVERPROVISIONING * room / capacity);
        return new CandidateLevel(region, standings, count, well, availability);
    }

    /** Whether too few of the level's data planes hold a lease. */
    boolean isBroken() {
        return well < Rules.PANIC * count;
    }

    /**
     * The level's processes, or those that a lot draws if they are too many. Each lot draws others, and mostly the same
     * ones when processes come and go.
     *
     * @param all whether to add data planes without leases where there is room beside the healthy ones
     */
    List<RouteCandidate> draw(int lot, int most, boolean all) {
        List<RouteCandidate> drawn = draw(lot, most, candidates(true));
        if (all && drawn.size() < most) {
            drawn.addAll(draw(lot, most - drawn.size(), candidates(false)));
        }
        return drawn;
    }

    private List<RouteCandidate> candidates(boolean well) {
        return standings.stream()
                .flatMap(cluster -> cluster.candidates().stream())
                .filter(candidate -> candidate.well() == well)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static List<RouteCandidate> draw(int lot, int most, List<RouteCandidate> candidates) {
        if (candidates.size() <= most) {
            return candidates;
        }
        long[] ranks = new long[candidates.size()];
        Arrays.setAll(ranks, i -> AccountHash.rank(lot, candidates.get(i).ticket()));
        long[] sorted = ranks.clone();
        Arrays.sort(sorted);
        long last = sorted[most - 1];
        return IntStream.range(0, ranks.length)
                .filter(i -> ranks[i] <= last)
                .limit(most)
                .mapToObj(candidates::get)
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
