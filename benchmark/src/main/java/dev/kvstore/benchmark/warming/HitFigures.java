package dev.kvstore.benchmark.warming;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.trace.Survey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The hits of lookups in regions that traffic moved to, with the names that the JSON has.
 *
 * @param blockBytes per block of the trace
 * @param speedup how many times as fast as in the trace requests came
 * @param storedBlocks at home, when traffic moved
 * @param hotBlocks blocks whose use the control plane knew then
 * @param homeRatio of blocks found at home before
 * @param regions one for each share
 */
record HitFigures(
        Survey trace,
        int blockBytes,
        double speedup,
        long storedBlocks,
        long hotBlocks,
        double homeRatio,
        List<RegionHits> regions) {
    /**
     * A region that traffic moved to.
     *
     * @param copiedBlocks that it was given
     * @param seconds that took
     * @param half share of blocks that lookups found in the second half
     * @param firstMinutes the same in its first ten minutes
     * @param flaws blocks that were lost or wrong, and requests that failed
     */
    record RegionHits(
            @JsonIgnore WarmedShare share,
            long copiedBlocks,
            double seconds,
            double half,
            double firstMinutes,
            long flaws) {
        @JsonProperty
        String name() {
            return share.key();
        }
    }

    /** The hits that a part of the blocks adds, over the hits that all blocks add. */
    double kept(WarmedShare share, boolean firstMinutes) {
        double cold = ratio(WarmedShare.COLD, firstMinutes);
        return (ratio(share, firstMinutes) - cold) / (ratio(WarmedShare.ALL, firstMinutes) - cold);
    }

    private double ratio(WarmedShare share, boolean firstMinutes) {
        RegionHits region =
                regions.stream().filter(one -> one.share() == share).findFirst().orElseThrow();
        return firstMinutes ? region.firstMinutes() : region.half();
    }

    /** {@code hitRatioCold} and so on, and {@code hitRatioColdFirst10Minutes}; what of the difference is kept. */
    @JsonAnyGetter
    Map<String, Double> ratios() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (WarmedShare share : WarmedShare.values()) {
            ratios.put("hitRatio" + share.key(), ratio(share, false));
            ratios.put("hitRatio" + share.key() + "First10Minutes", ratio(share, true));
            if (share != WarmedShare.COLD && share != WarmedShare.ALL) {
                ratios.put("kept" + share.key(), kept(share, false));
                ratios.put("kept" + share.key() + "First10Minutes", kept(share, true));
            }
        }
        return ratios;
    }
}
