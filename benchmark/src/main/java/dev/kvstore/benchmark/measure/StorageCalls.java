package dev.kvstore.benchmark.measure;

import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Counts what the data planes ask of storage while something is done, from their metrics. */
public final class StorageCalls {
    private static final String METRIC = "kvstore_storage_calls_total";

    // Calls that a data plane may make to its storage for its own purposes meanwhile, such as presence; and the share
    // of all blocks that may come from storage besides.
    private static final double ITS_OWN = 2;
    private static final double FEW = 0.01;

    private final Supplier<List<Metrics>> metrics;

    public StorageCalls(List<StackDataPlane> dataPlanes) {
        this.metrics = () -> dataPlanes.stream().map(StackDataPlane::metrics).toList();
    }

    /** Of one data plane, whose metrics are read anew each time. */
    public StorageCalls(Supplier<Metrics> dataPlane) {
        this.metrics = () -> List.of(dataPlane.get());
    }

    /** Work that ends with a value. */
    @FunctionalInterface
    public interface StorageWork<T, E extends Exception> {
        T run() throws E, InterruptedException;
    }

    /** Does the work and adds the calls during it, by operation, to {@code sums}. */
    public <T, E extends Exception> T during(Map<String, Double> sums, StorageWork<T, E> work)
            throws E, InterruptedException {
        Map<String, Double> before = read();
        T result = work.run();
        read().forEach((operation, count) -> {
            double calls = count - before.getOrDefault(operation, 0.0);
            if (calls != 0) {
                sums.merge(operation, calls, Double::sum);
            }
        });
        return result;
    }

    /** How many of these calls read a block. */
    public static double reads(Map<String, Double> calls) {
        return calls.getOrDefault("get", 0.0) + calls.getOrDefault("get_range", 0.0);
    }

    /**
     * Holds if blocks that were read came from a tier of the data plane, and at most 1 % of them from storage.
     *
     * @param calls while they were read
     * @throws IllegalStateException if more came from storage
     */
    public static void requireFew(Map<String, Double> calls, long blocks) {
        if (reads(calls) > ITS_OWN + blocks * FEW) {
            throw new IllegalStateException("of %,d blocks %.0f came from storage, so this is not how fast the tier is"
                    .formatted(blocks, reads(calls)));
        }
    }

    private Map<String, Double> read() {
        Map<String, Double> sums = new TreeMap<>();
        metrics.get()
                .forEach(one -> one.sumsBy(METRIC, "operation")
                        .forEach((operation, count) -> sums.merge(operation, count, Double::sum)));
        return sums;
    }
}
