package dev.kvstore.clusters.lease;

import java.util.UUID;

/** The outcome of a registration. */
public sealed interface Join {
    /**
     * The process has a lease.
     *
     * @param anew whether it had none before
     * @param drain whether it must take no new work
     */
    record Joined(UUID lease, String region, boolean anew, boolean drain) implements Join {}

    /** The cluster takes no process in. */
    record NoCluster(String reason) implements Join {}

    /** The cluster does not take the process' address. */
    record Outside(String reason) implements Join {}

    /** The cluster has as many leases as a cluster may have. */
    record Full(String reason) implements Join {}

    /** Another instance holds a lease under the process' name, or at its address. */
    record Taken(String reason) implements Join {}
}
