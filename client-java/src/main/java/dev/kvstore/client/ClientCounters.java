package dev.kvstore.client;

/**
 * Counters of a client since it was built.
 *
 * @param retries attempts beyond the first
 * @param damagedBlocks blocks that arrived with a wrong checksum, name or length
 * @param leakedBlocks blocks the application forgot to close
 * @param ejections ejections of data planes that failed
 * @param failovers attempts that went to another level than their key's own, which was away
 * @param routeVersion the version of the route in use; empty before the first, {@code fixed} with fixed endpoints
 * @param level the level of that route to which the latest attempt went; 0 is the nearest
 */
public record ClientCounters(
        long retries,
        long damagedBlocks,
        long leakedBlocks,
        long ejections,
        long failovers,
        String routeVersion,
        int level) {}
