package dev.kvstore.benchmark.peers;

import java.util.Arrays;

/** The median of the rounds, and how far they differ. */
public record PeerSpread(double median, double min, double max) {
    /** @param rounds one or more */
    public static PeerSpread of(double... rounds) {
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return new PeerSpread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * The distance of the round that is farthest from the median, as a share: 0.1 if that round is a tenth above the
     * median, or the median a tenth above that round; 0 for one round.
     */
    double deviation() {
        return min == max ? 0 : Math.max(max / median, median / min) - 1;
    }
}
