package dev.kvstore.benchmark.engine;

import dev.kvstore.benchmark.report.Numbers;

/**
 * One engine, and one kind of prompts.
 *
 * @param prefixTokens tokens of a prompt's beginning, of which some are stored
 * @param hitRatio the stored part, 0 to 1
 */
record EngineCase(ComparedEngine engine, int prefixTokens, double hitRatio) {
    /** Tokens of a chunk of LMCache, which are two blocks of KV Store; a prefix has a multiple of them. */
    static final int CHUNK_TOKENS = 256;

    /** Tokens of a stored block of KV Store. */
    static final int BLOCK_TOKENS = 128;

    /** Tokens behind the prefix, which are never stored, as those of a question are not. */
    static final int TAIL_TOKENS = 64;

    private static final int PERCENT = 100;

    int promptTokens() {
        return prefixTokens + TAIL_TOKENS;
    }

    /** Tokens that are stored, in whole chunks. */
    int storedTokens() {
        return (int) Math.round(prefixTokens * hitRatio / CHUNK_TOKENS) * CHUNK_TOKENS;
    }

    /** The same prompts for another engine. */
    EngineCase with(ComparedEngine other) {
        return new EngineCase(other, prefixTokens, hitRatio);
    }

    /** The prompts, for people. */
    String prompts() {
        return Numbers.format("prefix of %,d, %.0f %% stored", prefixTokens, hitRatio * PERCENT);
    }

    @Override
    public String toString() {
        return engine.title() + ", " + prompts();
    }
}
