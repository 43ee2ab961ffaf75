package dev.kvstore.benchmark.kvcache.engine;

/**
 * The stored prefix that a request found, and the time to its first token.
 *
 * @param promptTokens all of them
 * @param blocks whole blocks of the prompt
 * @param foundBlocks that were there and read, from the first
 * @param savedTokens in them: nobody had to compute these
 * @param lookupNanos until the stored prefix was known
 * @param firstTokenSeconds lookup, reading, and computing the rest
 * @param withoutCacheSeconds computing all
 */
public record ServedPrefix(
        long promptTokens,
        int blocks,
        int foundBlocks,
        long savedTokens,
        long lookupNanos,
        double firstTokenSeconds,
        double withoutCacheSeconds) {}
