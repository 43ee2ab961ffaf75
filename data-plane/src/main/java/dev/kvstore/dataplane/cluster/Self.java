package dev.kvstore.dataplane.cluster;

import java.util.OptionalInt;

/**
 * This process, as it registers with the control plane.
 *
 * @param cluster that it joins
 * @param process its name in the cluster, the same after each start
 * @param instance a new id for each start
 * @param address where clients of its region and peers reach it, host:port
 * @param remoteAddress where clients of other regions reach it; empty for the same address
 * @param numaNode the NUMA node that it is bound to, if any
 */
public record Self(
        String cluster,
        String process,
        String instance,
        String address,
        String remoteAddress,
        OptionalInt numaNode,
        PeerToken token,
        String version) {}
