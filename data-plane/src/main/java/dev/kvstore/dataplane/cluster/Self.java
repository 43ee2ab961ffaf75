package dev.kvstore.dataplane.cluster;

import java.util.OptionalInt;

/**
 * This process, as the control plane is told.
 *
 * @param cluster it joins
 * @param process what it is called there, the same after each start
 * @param instance of this start alone
 * @param address where clients of its region and peers reach it, host:port
 * @param remoteAddress where clients of other regions do; empty: there too
 * @param numaNode the node it is bound to, if it is
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
