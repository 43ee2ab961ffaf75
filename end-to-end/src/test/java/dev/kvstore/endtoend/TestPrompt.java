package dev.kvstore.endtoend;

import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A prompt in a partition that no other has.
 *
 * @param tokens of whole blocks
 */
record TestPrompt(Partition partition, Tokens tokens, BlockChain chain) {
    private static final int BLOCK_TOKENS = 16;

    static TestPrompt unique(int blocks) {
        Partition partition = Partition.of("end-to-end/" + UUID.randomUUID(), BLOCK_TOKENS);
        Tokens tokens = Tokens.of(IntStream.range(0, blocks * BLOCK_TOKENS).toArray());
        return new TestPrompt(partition, tokens, BlockChain.of(partition, tokens));
    }

    NewBlock block(int index, byte[] buffer) {
        return NewBlock.of(chain, index, blockTokens(index), ByteBuffer.wrap(buffer));
    }

    Tokens blockTokens(int index) {
        return Tokens.slice(tokens.toArray(), index * BLOCK_TOKENS, BLOCK_TOKENS);
    }

    /** Bytes that follow from the seed and have no pattern. */
    static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }
}
