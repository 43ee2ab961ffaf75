package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.HeaderWriter;
import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.wire.WireNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

/** The bytes that are written by hand are those that the generated code reads, and would write. */
class WirePartTest {
    private static final BlockHash ROOT = Partition.of("wire").root();

    @Property(tries = 500)
    void theFirstPartIsTheMessageThatTheGeneratedCodeWouldWrite(
            @ForAll @IntRange(max = 4096) int index,
            @ForAll boolean last,
            @ForAll int crc32c,
            @ForAll @IntRange(min = 1, max = 300) int tokens,
            @ForAll @IntRange(max = 200) int extra,
            @ForAll @AlphaChars @StringLength(max = 64) String writer,
            @ForAll @IntRange(min = 1, max = 200_000) int bufferBytes,
            @ForAll long seed)
            throws IOException {
        BlockHeader header = header(new Random(seed), tokens, extra, writer, bufferBytes);
        BlockHead.Builder head = BlockHead.newBuilder()
                .setExtra(ByteString.copyFrom(header.extra()))
                .setHash(WireNames.field(header.hash()))
                .setParentHash(WireNames.field(header.parent()))
                .setBufferBytes(bufferBytes)
                .setCrc32C(header.crc32c())
                .setWriter(writer);
        for (int token : header.tokens().toArray()) {
            head.addTokens(token);
        }

        byte[] written = written(new WirePart(index, 0, last, crc32c, WirePart.Head.of(header)));

        assertThat(written)
                .isEqualTo(ReadPart.newBuilder()
                        .setIndex(index)
                        .setLast(last)
                        .setHead(head)
                        .setCrc32C(crc32c)
                        .build()
                        .toByteArray());
    }

    @Property(tries = 300)
    void aLaterPartIsTheMessageThatTheGeneratedCodeWouldWrite(
            @ForAll @IntRange(max = 4096) int index,
            @ForAll @IntRange(max = BlockHeader.MAX_BUFFER_BYTES) int offset,
            @ForAll boolean last,
            @ForAll int crc32c)
            throws IOException {
        byte[] written = written(new WirePart(index, offset, last, crc32c, null));

        assertThat(written)
                .isEqualTo(ReadPart.newBuilder()
                        .setIndex(index)
                        .setOffset(offset)
                        .setLast(last)
                        .setCrc32C(crc32c)
                        .build()
                        .toByteArray());
    }

    private static byte[] written(WirePart part) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        part.writeTo(out);
        out.flush();
        assertThat(bytes.size()).isEqualTo(part.wireBytes());
        return bytes.toByteArray();
    }

    private static BlockHeader header(Random random, int tokens, int extraBytes, String writer, int bufferBytes) {
        byte[] extra = new byte[extraBytes];
        random.nextBytes(extra);
        byte[] hash = new byte[BlockHash.BYTES];
        random.nextBytes(hash);
        int headerBytes = BlockHeader.headerBytes(tokens, extraBytes, writer.length(), bufferBytes);
        return HeaderWriter.write(
                ByteBuffer.allocateDirect(headerBytes + bufferBytes),
                headerBytes,
                ROOT,
                ROOT,
                WireNames.hash(ByteString.copyFrom(hash)),
                Tokens.of(random.ints(tokens).toArray()),
                ByteBuffer.wrap(extra),
                writer);
    }
}
