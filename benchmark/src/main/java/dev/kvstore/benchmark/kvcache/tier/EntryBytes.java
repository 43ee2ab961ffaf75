package dev.kvstore.benchmark.kvcache.tier;

/**
 * The bytes of one entry.
 *
 * @param id of this writing of the entry; no other has it
 * @param seed that its content is made from
 * @param bytes of content, 1 or more
 */
public record EntryBytes(long id, long seed, long bytes) {}
