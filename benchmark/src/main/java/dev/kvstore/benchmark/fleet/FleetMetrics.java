package dev.kvstore.benchmark.fleet;

import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackControlPlane;

/** The control plane's metrics of its fleet. Immutable. */
record FleetMetrics(Metrics metrics) {
    static FleetMetrics now(StackControlPlane control) {
        return new FleetMetrics(control.metrics());
    }

    /** Processes of a region in a state. */
    long members(String region, String state) {
        return Math.round(metrics.samples().stream()
                .filter(sample -> sample.name().equals("kvstore_membership_processes")
                        && region.equals(sample.labels().get("region"))
                        && state.equals(sample.labels().get("state")))
                .mapToDouble(Metrics.MetricSample::value)
                .sum());
    }

    /** Processes of a region, with leases or without. */
    long members(String region) {
        return members(region, "serving") + members(region, "draining") + members(region, "lapsed");
    }

    long evictions() {
        return Math.round(metrics.sum("kvstore_membership_evictions_total"));
    }

    long compensations() {
        return Math.round(metrics.sum("kvstore_membership_lease_extensions_total"));
    }

    long batches() {
        return Math.round(metrics.sum("kvstore_membership_heartbeat_batches_total"));
    }
}
