package dev.kvstore.clusters.fleet;

/**
 * The work that a data plane could take if it were idle. Immutable.
 *
 * @param bytesPerSecond towards and from clients, together; more than 0
 * @param operations calls that move blocks, at a time; more than 0
 * @param memoryTierBytes 0 or more
 * @param diskTierBytes 0 or more
 * @param cpus more than 0
 */
public record Capacity(long bytesPerSecond, int operations, long memoryTierBytes, long diskTierBytes, int cpus) {}
