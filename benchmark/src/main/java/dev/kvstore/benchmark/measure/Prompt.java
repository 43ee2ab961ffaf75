package dev.kvstore.benchmark.measure;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.util.SplittableRandom;

/**
 * A prompt of whole blocks.
 *
 * @param tokens of the chain's blocks at least; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record Prompt(Partition partition, int[] tokens, BlockChain chain) {
    private static final int VOCABULARY = 200_000;

    /** The same number gives the same prompt; different ones share no block. */
    public static Prompt of(Partition partition, long number, int blocks) {
        int[] tokens = new SplittableRandom(number)
                .ints((long) blocks * partition.blockTokens(), 0, VOCABULARY)
                .toArray();
        return new Prompt(partition, tokens, BlockChain.of(partition, Tokens.slice(tokens, 0, tokens.length)));
    }

    /** Number of blocks. */
    public int size() {
        return chain.size();
    }

    /** The tokens of one block. */
    public Tokens block(int index) {
        return Tokens.slice(tokens, index * partition.blockTokens(), partition.blockTokens());
    }

    /** The first {@code blocks} blocks. */
    public Prompt prefix(int blocks) {
        return new Prompt(partition, tokens, chain.prefix(blocks));
    }
}
