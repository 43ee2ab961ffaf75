package dev.kvstore.benchmark.measure;

import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

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

    // Calls that a data plane may make to its storage for its own purposes meanwhile, such as presence; and the share
    // of all blocks that may come from storage besides.
    private static final double ITS_OWN = 2;
    private static final double FEW = 0.01;

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

    /** Reads the counters of all data planes of a stack together. */
    public static DataPlaneUse of(List<StackDataPlane> dataPlanes) {
        return dataPlanes.stream()
                .map(StackDataPlane::metrics)
                .map(DataPlaneUse::of)
                .reduce(NONE, DataPlaneUse::plus);
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
        return reads(values(STORAGE_CALLS));
    }

    /** The calls to storage by operation; operations that were not called are left out. */
    public Map<String, Double> storageCalls() {
        Map<String, Double> calls = new TreeMap<>(values(STORAGE_CALLS));
        calls.values().removeIf(count -> count == 0);
        return calls;
    }

    /** Work that ends with a value. */
    @FunctionalInterface
    public interface MeasuredWork<T, E extends Exception> {
        T run() throws E, InterruptedException;
    }

    /**
     * Does the work and adds the calls to storage during it, by operation, to {@code calls}.
     *
     * @param now reads the counters
     */
    public static <T, E extends Exception> T during(
            Supplier<DataPlaneUse> now, Map<String, Double> calls, MeasuredWork<T, E> work)
            throws E, InterruptedException {
        DataPlaneUse before = now.get();
        T result = work.run();
        now.get()
                .since(before)
                .storageCalls()
                .forEach((operation, count) -> calls.merge(operation, count, Double::sum));
        return result;
    }

    /** The number of these calls to storage that read a block. */
    public static double reads(Map<String, Double> calls) {
        return calls.getOrDefault("get", 0.0) + calls.getOrDefault("get_range", 0.0);
    }

    /**
     * Checks that blocks that were read came from a tier of the data plane, and at most 1 % of them from storage.
     *
     * @param calls to storage while the blocks were read
     * @throws IllegalStateException if more came from storage
     */
    public static void requireFew(Map<String, Double> calls, long blocks) {
        if (reads(calls) > ITS_OWN + blocks * FEW) {
            throw new IllegalStateException("of %,d blocks %.0f came from storage, so this is not how fast the tier is"
                    .formatted(blocks, reads(calls)));
        }
    }
}
