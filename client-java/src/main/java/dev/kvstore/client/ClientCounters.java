package dev.kvstore.client;

/**
 * What a client has seen since it was built.
 *
 * @param retries attempts beyond the first
 * @param damagedBlocks blocks that arrived with a wrong checksum, name or length
 * @param leakedBlocks blocks the application forgot to close
 * @param ejections times a process was left alone for having failed
 * @param failovers attempts that went to another level of the route than their key's own, since that was away
 * @param routeVersion of the route in use; empty before the first, {@code fixed} with fixed endpoints
 * @param level of that route, which the latest attempt went to; 0 is the nearest
 */
public record ClientCounters(
        long retries,
        long damagedBlocks,
        long leakedBlocks,
        long ejections,
        long failovers,
        String routeVersion,
        int level) {}
