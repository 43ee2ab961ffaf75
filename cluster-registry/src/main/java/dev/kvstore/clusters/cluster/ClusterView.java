package dev.kvstore.clusters.cluster;

import java.time.Instant;

/** A cluster, as callers see it. */
public record ClusterView(
        String name, String region, ClusterState state, Instant createdAt, Instant updatedAt, long version) {
    static ClusterView of(Cluster cluster) {
        return new ClusterView(
                cluster.name(),
                cluster.region(),
                cluster.state(),
                cluster.createdAt(),
                cluster.updatedAt(),
                cluster.version());
    }
}
