package dev.kvstore.clusters.fleet;

import dev.kvstore.clusters.cluster.ClusterState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster and its processes, with leases or without. Immutable.
 *
 * @param advertised the address at which clients reach its processes: host:port, or a host alone for each at its own
 *     port; null for each process' own address
 * @param members sorted by name
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
