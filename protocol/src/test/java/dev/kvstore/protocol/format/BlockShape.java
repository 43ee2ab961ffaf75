package dev.kvstore.protocol.format;

import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** The lengths of a block, and the seed of its content. */
record BlockShape(int tokenCount, int extraBytes, int keyIdBytes, int bufferBytes, long seed) {
    /** Every length a block may have, save that buffers stop at {@code maxBufferBytes}. */
    static Arbitrary<BlockShape> any(int maxBufferBytes) {
        return Combinators.combine(
                        Arbitraries.integers().between(1, Partition.MAX_BLOCK_TOKENS),
                        Arbitraries.integers().between(0, BlockHeader.MAX_EXTRA_BYTES),
                        Arbitraries.integers().between(0, BlockHeader.MAX_KEY_ID_BYTES),
                        Arbitraries.integers().between(1, maxBufferBytes),
                        Arbitraries.longs())
                .as(BlockShape::new);
    }

    int headerBytes() {
        return BlockHeader.headerBytes(tokenCount, extraBytes, keyIdBytes, bufferBytes);
    }

    int[] tokens() {
        return new Random(seed).ints(tokenCount).toArray();
    }

    byte[] extra() {
        return bytes(seed + 1, extraBytes);
    }

    String keyId() {
        return "k".repeat(keyIdBytes);
    }

    byte[] buffer() {
        return bytes(seed + 2, bufferBytes);
    }

    BlockHash root() {
        return BlockHash.of(bytes(seed + 3, BlockHash.BYTES));
    }

    BlockHash parent() {
        return BlockHash.of(bytes(seed + 4, BlockHash.BYTES));
    }

    BlockHash hash() {
        return BlockHash.of(bytes(seed + 5, BlockHash.BYTES));
    }

    /** The block as it is stored, whole. Where the header comes to lie is full of other bytes before. */
    ByteBuffer stored() {
        ByteBuffer stored = ByteBuffer.wrap(bytes(seed + 6, headerBytes() + bufferBytes));
        stored.put(headerBytes(), buffer());
        HeaderWriter.write(
                stored,
                headerBytes(),
                root(),
                parent(),
                hash(),
                Tokens.of(tokens()),
                ByteBuffer.wrap(extra()),
                keyId());
        return stored;
    }

    private static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
