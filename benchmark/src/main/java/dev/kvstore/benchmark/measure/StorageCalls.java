package dev.kvstore.benchmark.measure;

import dev.kvstore.launcher.stack.StackDataPlane;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts what the data planes ask of storage while something is done, from their metrics. */
public final class StorageCalls {
    private static final String METRIC = "kvstore_storage_calls_total";

    private final List<StackDataPlane> dataPlanes;

    public StorageCalls(List<StackDataPlane> dataPlanes) {
        this.dataPlanes = dataPlanes;
    }

    /** Work that ends with a value. */
    @FunctionalInterface
    public interface StorageWork<T> {
        T run() throws InterruptedException;
    }

    /** Does the work and adds the calls during it, by operation, to {@code sums}. */
    public <T> T during(Map<String, Double> sums, StorageWork<T> work) throws InterruptedException {
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

    private Map<String, Double> read() {
        Map<String, Double> sums = new TreeMap<>();
        for (StackDataPlane dataPlane : dataPlanes) {
            dataPlane
                    .metrics()
                    .sumsBy(METRIC, "operation")
                    .forEach((operation, count) -> sums.merge(operation, count, Double::sum));
        }
        return sums;
    }
}
