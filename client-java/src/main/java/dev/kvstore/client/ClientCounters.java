package dev.kvstore.client;

/**
 * What a client has seen since it was built.
 *
 * @param retries attempts beyond the first
 * @param damagedBlocks blocks that arrived with a wrong checksum, name or length
 * @param leakedBlocks blocks the application forgot to close
 */
public record ClientCounters(long retries, long damagedBlocks, long leakedBlocks) {}
