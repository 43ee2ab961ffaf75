package dev.kvstore.protocol.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.format.HeaderReader.HeaderResult;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderReaderTest {
    private static final BlockShape ONE_PAGE = new BlockShape(16, 9, 6, 300_000, 1);
    private static final BlockShape TWO_PAGES = new BlockShape(1024, 0, 6, 1, 2);

    @Test
    void everyFlippedBitOfAPageIsNoticed() {
        ByteBuffer stored = ONE_PAGE.stored();

        for (int bit = 0; bit < 8 * BlockHeader.PAGE_BYTES; bit++) {
            flip(stored, bit);
            assertThat(HeaderReader.read(stored))
                    .as("bit %d of byte %d", bit % 8, bit / 8)
                    .isInstanceOf(
                            isVersionOrFlags(bit / 8) ? HeaderResult.Unknown.class : HeaderResult.DamagedHeader.class);
            flip(stored, bit);
        }
        assertThat(HeaderReader.read(stored)).isInstanceOf(HeaderResult.WholeHeader.class);
    }

    @Property(tries = 500)
    void aFlippedBitOfAnyHeaderIsNoticed(@ForAll("shapes") BlockShape shape, @ForAll @IntRange(min = 0) int anyBit) {
        ByteBuffer stored = shape.stored();
        int bit = anyBit % (8 * shape.headerBytes());
        flip(stored, bit);

        assertThat(HeaderReader.read(stored))
                .isInstanceOf(
                        isVersionOrFlags(bit / 8) ? HeaderResult.Unknown.class : HeaderResult.DamagedHeader.class);
    }

    /** Only the whole header can be verified, but what a page says of its length can be believed or is refused. */
    @Property(tries = 500)
    void aFlippedBitOfTheFirstPageNeverAsksForAWrongLength(
            @ForAll("longShapes") BlockShape shape, @ForAll @IntRange(max = 8 * 4096 - 1) int bit) {
        ByteBuffer page = shape.stored().slice(0, BlockHeader.PAGE_BYTES);
        flip(page, bit);

        HeaderResult result = HeaderReader.read(page);

        assertThat(result).isNotInstanceOf(HeaderResult.WholeHeader.class);
        if (result instanceof HeaderResult.Longer longer) {
            assertThat(longer.headerBytes()).isEqualTo(shape.headerBytes());
        }
    }

    @Property(tries = 200)
    void theFirstPageTellsTheLengthOfALongerHeader(@ForAll("longShapes") BlockShape shape) {
        ByteBuffer stored = shape.stored();

        assertThat(HeaderReader.read(stored.slice(0, BlockHeader.PAGE_BYTES)))
                .isEqualTo(new HeaderResult.Longer(shape.headerBytes()));
        assertThat(HeaderReader.read(stored.slice(0, shape.headerBytes() - 1)))
                .isEqualTo(new HeaderResult.Longer(shape.headerBytes()));
        assertThat(HeaderReader.read(stored.slice(0, shape.headerBytes())))
                .isInstanceOf(HeaderResult.WholeHeader.class);
    }

    @Test
    void damageOfTheBufferIsNotTheHeadersBusiness() {
        ByteBuffer stored = ONE_PAGE.stored();
        flip(stored, 8 * BlockHeader.PAGE_BYTES);

        assertThat(HeaderReader.read(stored)).isInstanceOf(HeaderResult.WholeHeader.class);
    }

    @Test
    void lessThanTheFixedPartIsDamage() {
        ByteBuffer stored = ONE_PAGE.stored();

        for (int length : new int[] {0, 1, 139}) {
            assertThat(HeaderReader.read(stored.slice(0, length)))
                    .isEqualTo(new HeaderResult.DamagedHeader("only " + length + " bytes"));
        }
        assertThat(HeaderReader.read(stored.slice(0, 140))).isEqualTo(new HeaderResult.Longer(4096));
    }

    @Test
    void somethingElseIsDamage() {
        assertThat(HeaderReader.read(ByteBuffer.allocate(8192)))
                .isEqualTo(new HeaderResult.DamagedHeader("not a block: wrong magic"));
    }

    /** A later version may lay out everything behind its number otherwise. */
    @ParameterizedTest
    @CsvSource({"0", "2", "65535"})
    void anotherVersionIsUnknownWhateverFollows(int version) {
        ByteBuffer stored = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        stored.putLong(0, BlockHeader.MAGIC).putShort(BlockHeader.AT_VERSION, (short) version);

        assertThat(HeaderReader.read(stored)).isEqualTo(new HeaderResult.Unknown(version));
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "32768"})
    void aFlagNobodyKnowsMakesABlockUnknown(int flags) {
        ByteBuffer stored = TWO_PAGES.stored().order(ByteOrder.LITTLE_ENDIAN);
        stored.putShort(BlockHeader.AT_FLAGS, (short) flags);

        assertThat(HeaderReader.read(stored)).isEqualTo(new HeaderResult.Unknown(1));
    }

    @ParameterizedTest(name = "{0} tokens, {1} bytes of extra, {2} of key id, {3} of buffer")
    @CsvSource({"0, 0, 0, 1", "8193, 0, 0, 1", "1, 65537, 0, 1", "1, 0, 65, 1", "1, 0, 0, 0", "1, 0, 0, 67108865"})
    void lengthsBeyondTheLimitsAreDamageEvenUnderARightChecksum(int tokens, int extra, int keyId, int buffer) {
        BlockShape shape = new BlockShape(tokens, extra, keyId, buffer, 3);

        assertThat(HeaderReader.read(shape.stored()))
                .isEqualTo(new HeaderResult.DamagedHeader("lengths in the header contradict each other"));
    }

    @Provide
    Arbitrary<BlockShape> shapes() {
        return BlockShape.any(1 << 18);
    }

    /** Headers of more than a page. */
    @Provide
    Arbitrary<BlockShape> longShapes() {
        return shapes().filter(shape -> shape.headerBytes() > BlockHeader.PAGE_BYTES);
    }

    private static boolean isVersionOrFlags(int index) {
        return index >= BlockHeader.AT_VERSION && index < BlockHeader.AT_HEADER_BYTES;
    }

    private static void flip(ByteBuffer bytes, int bit) {
        bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ (1 << (bit % 8))));
    }
}
