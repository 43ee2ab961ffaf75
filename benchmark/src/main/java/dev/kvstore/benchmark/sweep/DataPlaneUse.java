package dev.kvstore.benchmark.sweep;

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
 * @param storageCalls by operation
 */
record DataPlaneUse(double cpuSeconds, double fromMemory, double fromDisk, Map<String, Double> storageCalls) {
    static DataPlaneUse of(List<StackDataPlane> dataPlanes) {
        double cpu = 0;
        double memory = 0;
        double disk = 0;
        Map<String, Double> calls = new TreeMap<>();
        for (StackDataPlane dataPlane : dataPlanes) {
            cpu += dataPlane.process().usage().cpu().toNanos() / 1e9;
            Metrics metrics = dataPlane.metrics();
            memory += metrics.sum("kvstore_memory_tier_hits_total");
            disk += metrics.sum("kvstore_disk_tier_hits_total");
            metrics.sumsBy("kvstore_storage_calls_total", "operation")
                    .forEach((operation, count) -> calls.merge(operation, count, Double::sum));
        }
        return new DataPlaneUse(cpu, memory, disk, calls);
    }

    /** The difference to an earlier reading; operations that were not called are left out. */
    DataPlaneUse since(DataPlaneUse earlier) {
        Map<String, Double> calls = new TreeMap<>();
        storageCalls.forEach((operation, count) -> {
            double more = count - earlier.storageCalls.getOrDefault(operation, 0.0);
            if (more > 0) {
                calls.put(operation, more);
            }
        });
        return new DataPlaneUse(
                cpuSeconds - earlier.cpuSeconds, fromMemory - earlier.fromMemory, fromDisk - earlier.fromDisk, calls);
    }

    /** Blocks that came from storage. */
    double fromStorage() {
        return storageCalls.getOrDefault("get", 0.0) + storageCalls.getOrDefault("get_range", 0.0);
    }

    DataPlaneUse plus(DataPlaneUse other) {
        Map<String, Double> calls = new TreeMap<>(storageCalls);
        other.storageCalls.forEach((operation, count) -> calls.merge(operation, count, Double::sum));
        return new DataPlaneUse(
                cpuSeconds + other.cpuSeconds, fromMemory + other.fromMemory, fromDisk + other.fromDisk, calls);
    }
}
