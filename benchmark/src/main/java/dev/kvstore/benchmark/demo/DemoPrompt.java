package dev.kvstore.benchmark.demo;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.util.Arrays;

/**
 * The whole blocks of a prompt: their names, and the tokens from which every client computes the same names.
 *
 * @param tokens of the chain's blocks at least; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent")
record DemoPrompt(Partition partition, BlockChain chain, int[] tokens) {
    /** Number of whole blocks. */
    int size() {
        return chain.size();
    }

    /** The first {@code blocks} blocks, 0 to size. */
    DemoPrompt prefix(int blocks) {
        return new DemoPrompt(partition, chain.prefix(blocks), tokens);
    }

    /** The tokens of one block. */
    Tokens block(int index) {
        return Tokens.slice(tokens, index * partition.blockTokens(), partition.blockTokens());
    }

    /** A copy of the tokens of all blocks. */
    int[] blockTokens() {
        return Arrays.copyOf(tokens, size() * partition.blockTokens());
    }
}
