package dev.kvstore.protocol.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.Vectors;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the stored form to what is published for every language. */
class BlockFormatVectorsTest {
    static List<Vectors.StoredVector> stored() {
        return Vectors.stored();
    }

    @ParameterizedTest
    @MethodSource("stored")
    void aBlockIsWrittenAsPublished(Vectors.StoredVector vector) throws Exception {
        ByteBuffer stored = ByteBuffer.allocate(vector.headerBytes() + vector.bufferBytes());
        stored.put(vector.headerBytes(), buffer(vector));

        HeaderWriter.write(
                stored,
                BlockHeader.headerBytes(
                        vector.tokens().size(),
                        vector.extra().length() / 2,
                        vector.keyId().length(),
                        vector.bufferBytes()),
                BlockHash.ofHex(vector.root()),
                BlockHash.ofHex(vector.parent()),
                BlockHash.ofHex(vector.hash()),
                vector.ids(),
                extra(vector),
                vector.keyId());

        byte[] header = new byte[vector.headerBytes()];
        stored.get(0, header);
        assertThat(header).isEqualTo(header(vector));
        assertThat(MessageDigest.getInstance("SHA-256").digest(header))
                .isEqualTo(HexFormat.of().parseHex(vector.headerSha256()));
    }

    @ParameterizedTest
    @MethodSource("stored")
    void aPublishedHeaderIsReadAsItsFieldsSay(Vectors.StoredVector vector) {
        HeaderReader.HeaderResult result = HeaderReader.read(ByteBuffer.wrap(header(vector)));

        assertThat(result).isInstanceOf(HeaderReader.HeaderResult.WholeHeader.class);
        BlockHeader header = ((HeaderReader.HeaderResult.WholeHeader) result).header();
        assertThat(header.root().hex()).isEqualTo(vector.root());
        assertThat(header.parent().hex()).isEqualTo(vector.parent());
        assertThat(header.hash().hex()).isEqualTo(vector.hash());
        assertThat(header.tokens().toArray()).isEqualTo(vector.ids().toArray());
        assertThat(header.extra()).isEqualTo(extra(vector));
        assertThat(header.keyId()).isEqualTo(vector.keyId());
        assertThat(header.headerBytes()).isEqualTo(vector.headerBytes());
        assertThat(header.bufferBytes()).isEqualTo(vector.bufferBytes());
        assertThat(header.segments()).isEqualTo(vector.segmentCrc32c().size());
        for (int i = 0; i < header.segments(); i++) {
            assertThat(Integer.toUnsignedLong(header.segmentCrc32c(i)))
                    .isEqualTo(vector.segmentCrc32c().get(i));
        }
        assertThat(Integer.toUnsignedLong(header.crc32c())).isEqualTo(vector.bufferCrc32c());
    }

    @ParameterizedTest
    @MethodSource("stored")
    void aPublishedBlockHasTheNameOfItsContent(Vectors.StoredVector vector) {
        BlockHash parent = BlockHash.ofHex(vector.parent());

        assertThat(Partition.of(vector.partition(), vector.tokens().size())
                        .root()
                        .hex())
                .isEqualTo(vector.root());
        assertThat(new BlockHasher().next(parent, extra(vector), vector.ids()).hex())
                .isEqualTo(vector.hash());
    }

    private static ByteBuffer extra(Vectors.StoredVector vector) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(vector.extra()));
    }

    private static byte[] header(Vectors.StoredVector vector) {
        byte[] used = HexFormat.of().parseHex(vector.headerWithoutPadding());
        return ByteBuffer.allocate(vector.headerBytes()).put(used).array();
    }

    private static byte[] buffer(Vectors.StoredVector vector) {
        byte[] buffer = new byte[vector.bufferBytes()];
        for (int i = 0; i < buffer.length; i++) {
            buffer[i] = (byte) ((31 * i + 7) % 251);
        }
        return buffer;
    }
}
