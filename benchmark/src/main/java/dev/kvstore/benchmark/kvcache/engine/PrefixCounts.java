package dev.kvstore.benchmark.kvcache.engine;

import java.util.concurrent.atomic.LongAdder;

/** The counts of prompts in blocks of one period of a run. Thread-safe. */
public final class PrefixCounts {
    private static final double NANOS = 1e9;

    /** Prompts of which all whole blocks were there. */
    public final LongAdder whole = new LongAdder();

    /** Prompts of which some blocks were there. */
    public final LongAdder partial = new LongAdder();

    /** Prompts of which no block was there. */
    public final LongAdder none = new LongAdder();

    public final LongAdder blocks = new LongAdder();
    public final LongAdder foundBlocks = new LongAdder();
    public final LongAdder promptTokens = new LongAdder();
    public final LongAdder savedTokens = new LongAdder();
    public final DurationSamples lookup = new DurationSamples();

    /** Seconds from the moment a worker took the request. */
    public final DurationSamples firstToken = new DurationSamples();

    /** The same with nothing stored. */
    public final DurationSamples withoutCache = new DurationSamples();

    /** Seconds from when the request was meant to arrive. */
    public final DurationSamples firstTokenFromIntended = new DurationSamples();

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

    void add(ServedPrefix served, double waitSeconds) {
        (served.foundBlocks == 0 ? none : served.foundBlocks == served.blocks ? whole : partial).increment();
        blocks.add(served.blocks);
        foundBlocks.add(served.foundBlocks);
        promptTokens.add(served.promptTokens);
        savedTokens.add(served.savedTokens);
        lookup.add(served.lookupNanos / NANOS);
        firstToken.add(served.firstTokenSeconds);
        withoutCache.add(served.withoutCacheSeconds);
        firstTokenFromIntended.add(waitSeconds + served.firstTokenSeconds);
    }
}
