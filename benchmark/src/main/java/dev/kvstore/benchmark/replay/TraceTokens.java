package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.trace.TraceRequest;
import dev.kvstore.protocol.block.Tokens;

/**
 * Tokens for a prompt of which only its blocks' numbers are known: equal numbers, equal tokens.
 *
 * @param ids of the prompt's blocks, of which those from {@code from} on are meant
 * @param blocks how many
 */
@SuppressWarnings("ArrayRecordComponent")
record TraceTokens(long[] ids, int from, int blocks) implements Tokens {
    // As SplittableRandom's: any odd number with many bits would do.
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    @Override
    public int size() {
        return blocks * TraceRequest.BLOCK_TOKENS;
    }

    @Override
    public int get(int index) {
        long id = ids[from + index / TraceRequest.BLOCK_TOKENS];
        // The first two tokens are the number itself, so that different blocks differ for certain.
        int at = index % TraceRequest.BLOCK_TOKENS;
        return switch (at) {
            case 0 -> (int) id;
            case 1 -> (int) (id >>> Integer.SIZE);
            default -> (int) (((id + at) * GAMMA) >>> Integer.SIZE);
        };
    }

    /** The tokens of one block. */
    TraceTokens block(int index) {
        return new TraceTokens(ids, from + index, 1);
    }
}
