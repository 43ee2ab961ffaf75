package dev.kvstore.clusters.fleet;

import java.time.Instant;

/**
 * A process that joined a cluster. Immutable.
 *
 * @param name the name in its cluster
 * @param instance changes with each start
 * @param address host:port for its region and its peers
 * @param remoteAddress host:port for other regions; often the same
 * @param joined the time at which this instance joined
 * @param leaseEnd when its lease ends
 * @param draining whether it takes no new work, because it stops, an operator drains it, or a purge waited for it in
 *     vain
 */
public record ClusterMember(
        String name,
        String instance,
        String address,
        String remoteAddress,
        Instant joined,
        Instant leaseEnd,
        boolean draining,
        Capacity capacity,
        Load load) {
    /** Whether the process holds a lease at a moment. */
    public boolean hasLease(Instant now) {
        return now.isBefore(leaseEnd);
    }
}
