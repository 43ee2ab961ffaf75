package dev.kvstore.clusters.lease;

import dev.kvstore.clusters.fleet.Capacity;
import org.jspecify.annotations.Nullable;

/**
 * The fields with which a process joins; each field has its required shape. Immutable.
 *
 * @param process its name in the cluster
 * @param instance of this start alone
 * @param address host:port for its region and its peers
 * @param remoteAddress host:port for other regions
 * @param numaNode to which it is bound; null if to none
 * @param peerToken the token by which peers prove themselves to it
 * @param program its version
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
    /** Without the token. */
    @Override
    public String toString() {
        return cluster + "/" + process + " (" + instance + ") at " + address;
    }
}
