package dev.kvstore.clusters.fleet;

import dev.kvstore.clusters.cluster.ClusterState;
import java.util.List;

/**
 * A cluster and its processes, with leases or without. Immutable.
 *
 * @param members in the order of their names
 */
public record FleetCluster(String name, String region, ClusterState state, List<Member> members) {
    public FleetCluster {
        members = List.copyOf(members);
    }
}
