package dev.kvstore.clusters.lease;

import dev.kvstore.clusters.fleet.Capacity;
import org.jspecify.annotations.Nullable;

/**
 * The fields with which a process joins; each field has its required shape. Immutable.
 *
 * @param process the name in the cluster
 * @param instance the id of this start
 * @param address host:port for its region and its peers
 * @param remoteAddress host:port for other regions
 * @param numaNode the NUMA node to which the process is bound; null if to none
 * @param peerToken the token by which peers prove themselves to it
 * @param program the version of the data plane
 */
public record Registration(
        String cluster,
        String process,
        String instance,
        String address,
        String remoteAddress,
        @Nullable Integer numaNode,
        Capacity capacity,
        String peerToken,
        String program) {
    /** The text of a registration without the token. */
    @Override
    public String toString() {
        return cluster + "/" + process + " (" + instance + ") at " + address;
    }
}
