package dev.kvstore.clusters.route;

import java.util.ArrayList;
import java.util.List;

/**
 * Spreads work over levels, as Envoy's priority levels do. If all levels together cannot take the work, the broken ones
 * are in panic, and the remaining work goes to the first level in panic; if none is broken, all levels get more work
 * than they should. Stateless.
 */
final class Shares {
    /** The sum of the shares of all levels. */
    static final int ALL = 1000;

    /** The least sum that counts as 1, in doubles. */
    private static final double ENOUGH = 1 - 1e-9;

    private Shares() {}

    /** Whether the pools can take all work. */
    static boolean suffice(List<CandidateLevel> pools) {
        return pools.stream().mapToDouble(CandidateLevel::availability).sum() >= ENOUGH;
    }

    /**
     * The share of each level, {@value #ALL} together.
     *
     * @param pools at least one; if they do not suffice and none is broken, at least one has availability
     */
    static List<Integer> of(List<CandidateLevel> pools) {
        double sum = pools.stream().mapToDouble(CandidateLevel::availability).sum();
        boolean enough = suffice(pools);
        int panic = enough ? -1 : firstBroken(pools);
        double scale = enough || panic >= 0 ? 1 : 1 / sum;
        List<Integer> shares = new ArrayList<>();
        double given = 0;
        int told = 0;
        for (int i = 0; i < pools.size(); i++) {
            given += pools.get(i).availability() * scale + (i == panic ? 1 - sum : 0);
            boolean last = i == pools.size() - 1;
            int until = last || given >= ENOUGH ? ALL : (int) Math.round(ALL * given);
            shares.add(until - told);
            told = until;
        }
        return shares;
    }

    private static int firstBroken(List<CandidateLevel> pools) {
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).isBroken()) {
                return i;
            }
        }
        return -1;
    }
}
