package dev.kvstore.benchmark.measure;

import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The processor time and the calls of data planes, since their start or between two readings.
 *
 * @param cpuSeconds processor time
 * @param fromMemory blocks found in memory
 * @param fromDisk blocks found on the local disk
 * @param storageCalls by operation; operations that were not called are left out
 */
public record DataPlaneUse(double cpuSeconds, double fromMemory, double fromDisk, Map<String, Double> storageCalls) {
    public static final DataPlaneUse NONE = new DataPlaneUse(0, 0, 0, Map.of());

    public DataPlaneUse {
        storageCalls = Map.copyOf(storageCalls);
    }

    /** All together, since their start. */
    public static DataPlaneUse of(List<StackDataPlane> dataPlanes) {
        return dataPlanes.stream().map(DataPlaneUse::of).reduce(NONE, DataPlaneUse::plus);
    }

    private static DataPlaneUse of(StackDataPlane dataPlane) {
        Metrics metrics = dataPlane.metrics();
        return new DataPlaneUse(
                dataPlane.process().usage().cpu().toNanos() / 1e9,
                metrics.sum("kvstore_memory_tier_hits_total"),
                metrics.sum("kvstore_disk_tier_hits_total"),
                metrics.sumsBy("kvstore_storage_calls_total", "operation"));
    }

    public DataPlaneUse plus(DataPlaneUse other) {
        return plus(other, 1);
    }

    /** The difference to an earlier reading. */
    public DataPlaneUse since(DataPlaneUse earlier) {
        return plus(earlier, -1);
    }

    private DataPlaneUse plus(DataPlaneUse other, int sign) {
        Map<String, Double> calls = new TreeMap<>(storageCalls);
        other.storageCalls.forEach((operation, count) -> calls.merge(operation, sign * count, Double::sum));
        calls.values().removeIf(count -> count == 0);
        return new DataPlaneUse(
                cpuSeconds + sign * other.cpuSeconds,
                fromMemory + sign * other.fromMemory,
                fromDisk + sign * other.fromDisk,
                calls);
    }

    /** Blocks that came from storage. */
    public double fromStorage() {
        return storageCalls.getOrDefault("get", 0.0) + storageCalls.getOrDefault("get_range", 0.0);
    }
}
