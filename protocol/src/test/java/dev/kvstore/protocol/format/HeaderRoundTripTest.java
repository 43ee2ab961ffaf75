package dev.kvstore.protocol.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Tokens;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class HeaderRoundTripTest {
    private static final BlockHash ZERO = new BlockHash(0, 0, 0, 0);

    @Property(tries = 200)
    void whatWasWrittenIsRead(@ForAll("shapes") BlockShape shape) {
        BlockHeader header = whole(shape.stored());

        assertThat(header.headerBytes()).isEqualTo(shape.headerBytes());
        assertThat(header.bufferBytes()).isEqualTo(shape.bufferBytes());
        assertThat(header.root()).isEqualTo(shape.root());
        assertThat(header.parent()).isEqualTo(shape.parent());
        assertThat(header.hash()).isEqualTo(shape.hash());
        assertThat(header.tokens().toArray()).isEqualTo(shape.tokens());
        assertThat(header.extra()).isEqualTo(ByteBuffer.wrap(shape.extra()));
        assertThat(header.keyId()).isEqualTo(shape.keyId());
    }

    @Property(tries = 100)
    void theSegmentsCoverTheBufferAndTheirChecksumsHold(@ForAll("shapes") BlockShape shape) {
        BlockHeader header = whole(shape.stored());
        ByteBuffer buffer = ByteBuffer.wrap(shape.buffer());

        int at = 0;
        for (int i = 0; i < header.segments(); i++) {
            assertThat(header.segmentCrc32c(i)).isEqualTo(Crc32c.of(buffer.slice(at, header.segmentBytes(i))));
            at += header.segmentBytes(i);
            assertThat(header.crc32c(0, i + 1)).isEqualTo(Crc32c.of(buffer.slice(0, at)));
        }
        assertThat(at).isEqualTo(shape.bufferBytes());
        assertThat(header.crc32c()).isEqualTo(Crc32c.of(buffer));
    }

    @Property(tries = 200)
    void aHeaderIsWholePagesAndNoMoreThanItNeeds(@ForAll("largestShapes") BlockShape shape) {
        int used = 140
                + 4 * shape.tokenCount()
                + shape.extraBytes()
                + shape.keyIdBytes()
                + 4 * BlockHeader.segments(shape.bufferBytes());

        assertThat(shape.headerBytes() % BlockHeader.PAGE_BYTES).isZero();
        assertThat(shape.headerBytes()).isBetween(used, used + BlockHeader.PAGE_BYTES - 1);
        assertThat(shape.headerBytes()).isLessThanOrEqualTo(BlockHeader.MAX_HEADER_BYTES);
    }

    @Test
    void theLongestHeaderIsReached() {
        assertThat(BlockHeader.headerBytes(8192, 65_536, 64, 64 * 1024 * 1024)).isEqualTo(BlockHeader.MAX_HEADER_BYTES);
    }

    @Test
    void aSegmentBeginsEvery128KiB() {
        assertThat(BlockHeader.segments(1)).isEqualTo(1);
        assertThat(BlockHeader.segments(131_072)).isEqualTo(1);
        assertThat(BlockHeader.segments(131_073)).isEqualTo(2);
        assertThat(BlockHeader.segments(BlockHeader.MAX_BUFFER_BYTES)).isEqualTo(512);
    }

    @Test
    void aHeaderIsWrittenAndReadInTheMiddleOfDirectMemory() {
        ByteBuffer memory = ByteBuffer.allocateDirect(64 + 4096 + 3).position(64);

        BlockHeader written =
                HeaderWriter.write(memory, 4096, ZERO, ZERO, ZERO, Tokens.of(7), ByteBuffer.allocate(0), "key");
        BlockHeader read = whole(memory);

        assertThat(memory.position()).isEqualTo(64);
        assertThat(memory.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(memory.getLong(64)).isEqualTo(0x4b56424c4f434b00L);
        assertThat(read.keyId()).isEqualTo(written.keyId()).isEqualTo("key");
        assertThat(read.bufferBytes()).isEqualTo(written.bufferBytes()).isEqualTo(3);
        assertThat(read.extra().isDirect()).isTrue();
    }

    @Provide
    Arbitrary<BlockShape> shapes() {
        return BlockShape.any(5 << 20);
    }

    @Provide
    Arbitrary<BlockShape> largestShapes() {
        return BlockShape.any(BlockHeader.MAX_BUFFER_BYTES);
    }

    private static BlockHeader whole(ByteBuffer stored) {
        HeaderReader.HeaderResult result = HeaderReader.read(stored);
        assertThat(result).isInstanceOf(HeaderReader.HeaderResult.WholeHeader.class);
        return ((HeaderReader.HeaderResult.WholeHeader) result).header();
    }
}
