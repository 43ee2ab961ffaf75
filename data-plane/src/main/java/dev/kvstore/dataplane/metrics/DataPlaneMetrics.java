package dev.kvstore.dataplane.metrics;

import dev.kvstore.metrics.Metric;
import java.util.List;
import java.util.stream.Stream;

/** The list of all metrics of a data plane. */
public final class DataPlaneMetrics {
    public static final List<Metric> ALL = Stream.of(
                    ServerMetrics.ALL, StorageMetrics.ALL, TierMetrics.ALL, PresenceMetrics.ALL, ClusterMetrics.ALL)
            .flatMap(List::stream)
            .toList();

    private DataPlaneMetrics() {}
}
