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
 * @param regions each with its share
 */
record HitFigures(
        Survey trace,
        int blockBytes,
        double speedup,
        long storedBlocks,
        long hotBlocks,
        double homeRatio,
        List<RegionHits> regions,
        @JsonIgnore boolean complete) {
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
            return share.name();
        }
    }

    RegionHits region(String name) {
        return regions.stream()
                .filter(region -> region.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The hits that a part of the blocks adds, over the hits that all blocks add. */
    double kept(String name, boolean firstMinutes) {
        double cold = ratio("Cold", firstMinutes);
        return (ratio(name, firstMinutes) - cold) / (ratio("All", firstMinutes) - cold);
    }

    private double ratio(String name, boolean firstMinutes) {
        return firstMinutes ? region(name).firstMinutes() : region(name).half();
    }

    /** {@code hitRatioCold} and so on, and {@code hitRatioColdFirst10Minutes}; what of the difference is kept. */
    @JsonAnyGetter
    Map<String, Double> ratios() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        regions.forEach(region -> {
            ratios.put("hitRatio" + region.name(), region.half());
            ratios.put("hitRatio" + region.name() + "First10Minutes", region.firstMinutes());
        });
        if (complete) {
            for (RegionHits region : regions) {
                if (region.share().percent() > 0 && region.share().percent() < 100) {
                    ratios.put("kept" + region.name(), kept(region.name(), false));
                    ratios.put("kept" + region.name() + "First10Minutes", kept(region.name(), true));
                }
            }
        }
        return ratios;
    }
}
