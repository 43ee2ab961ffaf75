package dev.kvstore.clusters.lease;

import java.util.UUID;

/** The outcome of a registration. */
public sealed interface Join {
    /**
     * It has a lease.
     *
     * @param anew it had none before
     * @param drain it is to take nothing new
     */
    record Joined(UUID lease, String region, boolean anew, boolean drain) implements Join {}

    /** Its cluster takes nobody in. */
    record NoCluster(String reason) implements Join {}

    /** Its address is none that its cluster takes. */
    record Outside(String reason) implements Join {}

    /** The cluster has as many leases as a cluster may have. */
    record Full(String reason) implements Join {}

    /** Another instance holds a lease under its name, or at its address. */
    record Taken(String reason) implements Join {}
}
