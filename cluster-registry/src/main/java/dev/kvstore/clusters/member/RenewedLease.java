package dev.kvstore.clusters.member;

/**
 * A lease that a heartbeat renewed. Immutable.
 *
 * @param drain whether the process must take no new work
 * @param refresh whether the process must forget what it keeps about accounts
 */
public record RenewedLease(String cluster, String process, boolean drain, boolean refresh) {}
