package dev.kvstore.benchmark.trace;

/**
 * One prompt.
 *
 * @param timestampMillis from the start of the trace, 0 or more
 * @param inputTokens of the prompt
 * @param outputTokens that were generated
 * @param hashIds a number per block of {@value #BLOCK_TOKENS} tokens of the prompt, the last one perhaps not full;
 *     equal ids, equal prefixes up to there. Must not be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record TraceRequest(long timestampMillis, int inputTokens, int outputTokens, long[] hashIds) {
    /** Tokens per block of a trace: the form says so. */
    public static final int BLOCK_TOKENS = 512;

    public int blocks() {
        return hashIds.length;
    }
}
