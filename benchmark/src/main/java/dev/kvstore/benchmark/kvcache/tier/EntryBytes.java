package dev.kvstore.benchmark.kvcache.tier;

/**
 * The bytes of one entry.
 *
 * @param id of this writing of the entry; no other has it
 * @param seed that its content is made from
 * @param bytes of content, 0 or more; 0 only as the original counts
 */
public record EntryBytes(long id, long seed, long bytes) {}
