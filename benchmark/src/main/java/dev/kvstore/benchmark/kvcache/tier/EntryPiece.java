package dev.kvstore.benchmark.kvcache.tier;

/**
 * A part of an entry that moves at once.
 *
 * @param offset in the entry, of a page
 * @param bytes 1 or more
 */
public record EntryPiece(EntryBytes blob, long offset, int bytes) {}
