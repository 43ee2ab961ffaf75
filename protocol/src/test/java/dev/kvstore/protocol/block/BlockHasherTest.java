package dev.kvstore.protocol.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BlockHasherTest {
    private static final BlockHash PARENT = new BlockHash(1, -2, 3, -4);

    /** Up to the largest block, so that every border between the hasher's chunks of tokens is crossed. */
    @Property(tries = 300)
    void aNameIsTheSha256OfItsParts(
            @ForAll @IntRange(max = Partition.MAX_BLOCK_TOKENS) int size,
            @ForAll @IntRange(max = 5000) int extraBytes,
            @ForAll long seed)
            throws Exception {
        Random random = new Random(seed);
        int[] tokens = random.ints(size).toArray();
        byte[] extra = new byte[extraBytes];
        random.nextBytes(extra);

        BlockHash name = new BlockHasher().next(PARENT, ByteBuffer.wrap(extra), Tokens.of(tokens));

        ByteBuffer parts = ByteBuffer.allocate(16 + 32 + 4 + extraBytes + 4 * size)
                .put("kvstore.block.v1".getBytes(UTF_8))
                .put(PARENT.toBytes())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(extraBytes)
                .put(extra);
        for (int token : tokens) {
            parts.putInt(token);
        }
        assertThat(name.toBytes())
                .isEqualTo(MessageDigest.getInstance("SHA-256").digest(parts.array()));
    }

    @Test
    void aHasherKeepsNothingOfWhatItHashedBefore() {
        BlockHasher used = new BlockHasher();
        used.root(16, "model");
        used.next(PARENT, ByteBuffer.wrap(new byte[] {1}), Tokens.of(9, 9));

        assertThat(used.next(PARENT, ByteBuffer.allocate(0), Tokens.of(1)))
                .isEqualTo(new BlockHasher().next(PARENT, ByteBuffer.allocate(0), Tokens.of(1)));
    }

    @Test
    void extraIsReadWithoutMovingIt() {
        ByteBuffer extra = ByteBuffer.wrap(new byte[] {1, 2, 3}).position(1);

        BlockHash name = new BlockHasher().next(PARENT, extra, Tokens.of(1));

        assertThat(extra.position()).isEqualTo(1);
        assertThat(name).isEqualTo(new BlockHasher().next(PARENT, ByteBuffer.wrap(new byte[] {2, 3}), Tokens.of(1)));
    }

    @Test
    void bytesOfExtraAreNotTakenForTokens() {
        BlockHash asExtra = new BlockHasher().next(PARENT, ByteBuffer.allocate(4), Tokens.of(0));
        BlockHash asToken = new BlockHasher().next(PARENT, ByteBuffer.allocate(0), Tokens.of(0, 0));

        assertThat(asExtra).isNotEqualTo(asToken);
    }
}
