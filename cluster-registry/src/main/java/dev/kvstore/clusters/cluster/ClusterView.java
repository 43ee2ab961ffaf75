package dev.kvstore.clusters.cluster;

import java.time.Instant;
import java.util.List;

/**
 * A cluster, as callers see it.
 *
 * @param addresses patterns of the addresses at which its processes may be; empty for any
 */
public record ClusterView(
        String name,
        String region,
        ClusterState state,
        List<String> addresses,
        Instant createdAt,
        Instant updatedAt,
        long version) {
    static ClusterView of(Cluster cluster) {
        return new ClusterView(
                cluster.name(),
                cluster.region(),
                cluster.state(),
                cluster.addresses(),
                cluster.createdAt(),
                cluster.updatedAt(),
                cluster.version());
    }
}
