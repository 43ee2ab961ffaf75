package dev.kvstore.benchmark.replay;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.launcher.stack.Metrics;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of the data planes while requests were replayed, with the names that the JSON has.
 *
 * @param blocks of the requests
 * @param lookups of the requests
 * @param readBlocks that came back
 * @param memoryHits blocks found in memory
 * @param diskHits blocks found on disk
 * @param memoryBytes most that is kept in memory, of all processes together
 * @param diskBytes most that is kept on disk
 * @param lookupChecks existence checks of lookups
 * @param storageCalls by operation, of everything: those of {@code get} are of reads, but for a few of presence
 */
record TierFigures(
        long blocks,
        long lookups,
        long readBlocks,
        double memoryHits,
        double diskHits,
        double memoryBytes,
        double diskBytes,
        double lookupChecks,
        Map<String, Double> storageCalls) {
    /** The counts of the data planes since their start. */
    record TierCounters(
            double memoryHits,
            double diskHits,
            double memoryBytes,
            double diskBytes,
            double lookupChecks,
            Map<String, Double> storageCalls) {
        /** Asks each of them now. */
        static TierCounters of(List<URI> dataPlanes) {
            double[] sums = new double[5];
            Map<String, Double> calls = new TreeMap<>();
            for (URI dataPlane : dataPlanes) {
                Metrics metrics = Metrics.scrape(dataPlane);
                sums[0] += metrics.sum("kvstore_memory_tier_hits_total");
                sums[1] += metrics.sum("kvstore_disk_tier_hits_total");
                sums[2] += metrics.sum("kvstore_memory_tier_limit_bytes");
                sums[3] += metrics.sum("kvstore_disk_tier_limit_bytes");
                sums[4] += metrics.sum("kvstore_presence_checks_total");
                metrics.sumsBy("kvstore_storage_calls_total", "operation")
                        .forEach((operation, count) -> calls.merge(operation, count, Double::sum));
            }
            return new TierCounters(sums[0], sums[1], sums[2], sums[3], sums[4], calls);
        }

        /** The counts between this reading and a later one, while these requests were replayed. */
        TierFigures until(TierCounters later, ServiceFigures replayed) {
            Map<String, Double> calls = new TreeMap<>();
            later.storageCalls.forEach((operation, count) -> {
                double more = count - storageCalls.getOrDefault(operation, 0.0);
                if (more > 0) {
                    calls.put(operation, more);
                }
            });
            return new TierFigures(
                    replayed.blocks(),
                    replayed.lookup().count(),
                    replayed.readBlocks(),
                    later.memoryHits - memoryHits,
                    later.diskHits - diskHits,
                    later.memoryBytes,
                    later.diskBytes,
                    later.lookupChecks - lookupChecks,
                    calls);
        }
    }

    /** The part of all blocks that came from memory, 0 to 1. */
    @JsonProperty
    double memoryHitRatio() {
        return ratio(memoryHits, blocks);
    }

    /** The part of all blocks that came from disk. */
    @JsonProperty
    double diskHitRatio() {
        return ratio(diskHits, blocks);
    }

    /** The part of all blocks that was read and came from neither. */
    @JsonProperty
    double storageHitRatio() {
        return ratio(Math.max(0, readBlocks - memoryHits - diskHits), blocks);
    }

    @JsonProperty
    double storageCallsPerLookup() {
        return ratio(lookupChecks, lookups);
    }

    @JsonProperty
    double storageCallsPerBlockRead() {
        return ratio(storageCalls.getOrDefault("get", 0.0), readBlocks);
    }

    private static double ratio(double part, long whole) {
        return whole == 0 ? 0 : part / (double) whole;
    }
}
