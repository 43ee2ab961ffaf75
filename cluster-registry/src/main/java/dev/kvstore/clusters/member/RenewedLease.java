package dev.kvstore.clusters.member;

/**
 * A lease that a heartbeat renewed. Immutable.
 *
 * @param drain it is to take nothing new
 * @param refresh it is to forget what it keeps about accounts
 */
public record RenewedLease(String cluster, String process, boolean drain, boolean refresh) {}
