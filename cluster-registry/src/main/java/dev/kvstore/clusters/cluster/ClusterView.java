package dev.kvstore.clusters.cluster;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster, as callers see it.
 *
 * @param addresses patterns of the addresses that its processes may have; empty for any
 * @param advertisedAddress the address at which clients reach its processes, host:port or a host alone; null for each
 *     process' own address
 */
public record ClusterView(
        String name,
        String region,
        ClusterState state,
        List<String> addresses,
        @Nullable String advertisedAddress,
        Instant createdAt,
        Instant updatedAt,
        long version) {
    static ClusterView of(Cluster cluster) {
        return new ClusterView(
                cluster.name(),
                cluster.region(),
                cluster.state(),
                cluster.addresses(),
                cluster.advertisedAddress(),
                cluster.createdAt(),
                cluster.updatedAt(),
                cluster.version());
    }
}
