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
    /** The counts of data planes since their start. */
    static TierFigures of(List<URI> dataPlanes) {
        List<Metrics> all = dataPlanes.stream().map(Metrics::scrape).toList();
        Map<String, Double> calls = new TreeMap<>();
        for (Metrics metrics : all) {
            metrics.sumsBy("kvstore_storage_calls_total", "operation")
                    .forEach((operation, count) -> calls.merge(operation, count, Double::sum));
        }
        return new TierFigures(
                0,
                0,
                0,
                sum(all, "kvstore_memory_tier_hits_total"),
                sum(all, "kvstore_disk_tier_hits_total"),
                sum(all, "kvstore_memory_tier_limit_bytes"),
                sum(all, "kvstore_disk_tier_limit_bytes"),
                sum(all, "kvstore_presence_checks_total"),
                calls);
    }

    private static double sum(List<Metrics> all, String name) {
        return all.stream().mapToDouble(metrics -> metrics.sum(name)).sum();
    }

    /** The counts between this reading and a later one, while these requests were replayed. */
    TierFigures until(TierFigures later, ServiceFigures replayed) {
        Map<String, Double> calls = new TreeMap<>(later.storageCalls);
        storageCalls.forEach((operation, count) -> calls.merge(operation, -count, Double::sum));
        calls.values().removeIf(count -> count <= 0);
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
