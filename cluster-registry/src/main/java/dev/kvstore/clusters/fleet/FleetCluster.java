package dev.kvstore.clusters.fleet;

import dev.kvstore.clusters.cluster.ClusterState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster and its processes, with leases or without. Immutable.
 *
 * @param advertised where clients reach its processes: host:port, or a host alone for each at its own port; null: each
 *     at its own address
 * @param members in the order of their names
 */
public record FleetCluster(
        String name,
        String region,
        ClusterState state,
        @Nullable String advertised,
        List<ClusterMember> members) {
    public FleetCluster {
        members = List.copyOf(members);
    }
}
