package dev.kvstore.benchmark.measure;

import dev.kvstore.launcher.stack.Metrics;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The work of data planes by their own counters, since their start or between two readings.
 *
 * @param counters by the metric's name, then by the value of the one label that is told apart; empty where none is
 */
public record DataPlaneUse(Map<String, Map<String, Double>> counters) {
    /** Bytes read from and written to storage. */
    public static final String STORAGE_BYTES = "kvstore_storage_bytes_total";
    /** Seconds that calls to storage took, by operation. */
    public static final String STORAGE_SECONDS = "kvstore_storage_call_duration_seconds_sum";
    /** Calls of clients that ended well, by method. */
    public static final String CALLS = "kvstore_call_duration_seconds_count";
    /** Seconds that these took in the data planes, by method. */
    public static final String CALL_SECONDS = "kvstore_call_duration_seconds_sum";

    public static final DataPlaneUse NONE = new DataPlaneUse(Map.of());

    private static final String CPU_SECONDS = "process_cpu_seconds_total";
    private static final String MEMORY_HITS = "kvstore_memory_tier_hits_total";
    private static final String DISK_HITS = "kvstore_disk_tier_hits_total";
    private static final String STORAGE_CALLS = "kvstore_storage_calls_total";

    private static final Map<String, String> LABELS = Map.of(
            CPU_SECONDS, "",
            MEMORY_HITS, "",
            DISK_HITS, "",
            STORAGE_CALLS, "operation",
            STORAGE_SECONDS, "operation",
            STORAGE_BYTES, "direction",
            CALLS, "method",
            CALL_SECONDS, "method");

    /**
     * Reads the counters of all data planes together.
     *
     * @param metrics the pages of their metrics
     */
    public static DataPlaneUse read(List<URI> metrics) {
        return metrics.stream().map(Metrics::scrape).map(DataPlaneUse::of).reduce(NONE, DataPlaneUse::plus);
    }

    /** The counters of one data plane. */
    public static DataPlaneUse of(Metrics metrics) {
        Map<String, Map<String, Double>> counters = new TreeMap<>();
        LABELS.forEach((name, label) -> counters.put(name, metrics.sumsBy(name, label)));
        return new DataPlaneUse(counters);
    }

    public DataPlaneUse plus(DataPlaneUse other) {
        return plus(other, 1);
    }

    /** The difference to an earlier reading. */
    public DataPlaneUse since(DataPlaneUse earlier) {
        return plus(earlier, -1);
    }

    private DataPlaneUse plus(DataPlaneUse other, int sign) {
        Map<String, Map<String, Double>> sums = new TreeMap<>();
        for (String name : LABELS.keySet()) {
            Map<String, Double> sum = new TreeMap<>(values(name));
            other.values(name).forEach((label, value) -> sum.merge(label, sign * value, Double::sum));
            sums.put(name, sum);
        }
        return new DataPlaneUse(sums);
    }

    private Map<String, Double> values(String name) {
        return counters.getOrDefault(name, Map.of());
    }

    /** A counter's sum over some values of its label; 0 where the data planes do not show it. */
    public double sum(String counter, String... labels) {
        return Arrays.stream(labels)
                .mapToDouble(label -> values(counter).getOrDefault(label, 0.0))
                .sum();
    }

    public double cpuSeconds() {
        return sum(CPU_SECONDS, "");
    }

    /** Blocks found in memory. */
    public double fromMemory() {
        return sum(MEMORY_HITS, "");
    }

    /** Blocks found on the local disk. */
    public double fromDisk() {
        return sum(DISK_HITS, "");
    }

    /** Blocks that came from storage. */
    public double fromStorage() {
        return StorageCalls.reads(values(STORAGE_CALLS));
    }

    /** The calls to storage by operation; operations that were not called are left out. */
    public Map<String, Double> storageCalls() {
        Map<String, Double> calls = new TreeMap<>(values(STORAGE_CALLS));
        calls.values().removeIf(count -> count == 0);
        return calls;
    }
}
