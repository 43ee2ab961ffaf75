package dev.kvstore.protocol.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.format.HeaderReader.Result;
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
    private static final Shape ONE_PAGE = new Shape(16, 9, 6, 300_000, 1);
    private static final Shape TWO_PAGES = new Shape(1024, 0, 6, 1, 2);

    @Test
    void everyFlippedBitOfAPageIsNoticed() {
        ByteBuffer stored = ONE_PAGE.stored();

        for (int bit = 0; bit < 8 * BlockHeader.PAGE_BYTES; bit++) {
            flip(stored, bit);
            assertThat(HeaderReader.read(stored))
                    .as("bit %d of byte %d", bit % 8, bit / 8)
                    .isInstanceOf(isVersionOrFlags(bit / 8) ? Result.Unknown.class : Result.Damaged.class);
            flip(stored, bit);
        }
        assertThat(HeaderReader.read(stored)).isInstanceOf(Result.Whole.class);
    }

    @Property(tries = 500)
    void aFlippedBitOfAnyHeaderIsNoticed(@ForAll("shapes") Shape shape, @ForAll @IntRange(min = 0) int anyBit) {
        ByteBuffer stored = shape.stored();
        int bit = anyBit % (8 * shape.headerBytes());
        flip(stored, bit);

        assertThat(HeaderReader.read(stored))
                .isInstanceOf(isVersionOrFlags(bit / 8) ? Result.Unknown.class : Result.Damaged.class);
    }

    /** Only the whole header can be verified, but what a page says of its length can be believed or is refused. */
    @Property(tries = 500)
    void aFlippedBitOfTheFirstPageNeverAsksForAWrongLength(
            @ForAll("longShapes") Shape shape, @ForAll @IntRange(max = 8 * 4096 - 1) int bit) {
        ByteBuffer page = shape.stored().slice(0, BlockHeader.PAGE_BYTES);
        flip(page, bit);

        Result result = HeaderReader.read(page);

        assertThat(result).isNotInstanceOf(Result.Whole.class);
        if (result instanceof Result.Longer longer) {
            assertThat(longer.headerBytes()).isEqualTo(shape.headerBytes());
        }
    }

    @Property(tries = 200)
    void theFirstPageTellsTheLengthOfALongerHeader(@ForAll("longShapes") Shape shape) {
        ByteBuffer stored = shape.stored();

        assertThat(HeaderReader.read(stored.slice(0, BlockHeader.PAGE_BYTES)))
                .isEqualTo(new Result.Longer(shape.headerBytes()));
        assertThat(HeaderReader.read(stored.slice(0, shape.headerBytes() - 1)))
                .isEqualTo(new Result.Longer(shape.headerBytes()));
        assertThat(HeaderReader.read(stored.slice(0, shape.headerBytes()))).isInstanceOf(Result.Whole.class);
    }

    @Test
    void damageOfTheBufferIsNotTheHeadersBusiness() {
        ByteBuffer stored = ONE_PAGE.stored();
        flip(stored, 8 * BlockHeader.PAGE_BYTES);

        assertThat(HeaderReader.read(stored)).isInstanceOf(Result.Whole.class);
    }

    @Test
    void lessThanTheFixedPartIsDamage() {
        ByteBuffer stored = ONE_PAGE.stored();

        for (int length : new int[] {0, 1, 139}) {
            assertThat(HeaderReader.read(stored.slice(0, length)))
                    .isEqualTo(new Result.Damaged("only " + length + " bytes"));
        }
        assertThat(HeaderReader.read(stored.slice(0, 140))).isEqualTo(new Result.Longer(4096));
    }

    @Test
    void somethingElseIsDamage() {
        assertThat(HeaderReader.read(ByteBuffer.allocate(8192)))
                .isEqualTo(new Result.Damaged("not a block: wrong magic"));
    }

    /** A later version may lay out everything behind its number otherwise. */
    @ParameterizedTest
    @CsvSource({"0", "2", "65535"})
    void anotherVersionIsUnknownWhateverFollows(int version) {
        ByteBuffer stored = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        stored.putLong(0, BlockHeader.MAGIC).putShort(BlockHeader.AT_VERSION, (short) version);

        assertThat(HeaderReader.read(stored)).isEqualTo(new Result.Unknown(version));
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "32768"})
    void aFlagNobodyKnowsMakesABlockUnknown(int flags) {
        ByteBuffer stored = TWO_PAGES.stored().order(ByteOrder.LITTLE_ENDIAN);
        stored.putShort(BlockHeader.AT_FLAGS, (short) flags);

        assertThat(HeaderReader.read(stored)).isEqualTo(new Result.Unknown(1));
    }

    @ParameterizedTest(name = "{0} tokens, {1} bytes of extra, {2} of key id, {3} of buffer")
    @CsvSource({"0, 0, 0, 1", "8193, 0, 0, 1", "1, 65537, 0, 1", "1, 0, 65, 1", "1, 0, 0, 0", "1, 0, 0, 67108865"})
    void lengthsBeyondTheLimitsAreDamageEvenUnderARightChecksum(int tokens, int extra, int keyId, int buffer) {
        Shape shape = new Shape(tokens, extra, keyId, buffer, 3);

        assertThat(HeaderReader.read(shape.stored()))
                .isEqualTo(new Result.Damaged("lengths in the header contradict each other"));
    }

    @Provide
    Arbitrary<Shape> shapes() {
        return Shape.any(1 << 18);
    }

    /** Headers of more than a page. */
    @Provide
    Arbitrary<Shape> longShapes() {
        return shapes().filter(shape -> shape.headerBytes() > BlockHeader.PAGE_BYTES);
    }

    private static boolean isVersionOrFlags(int index) {
        return index >= BlockHeader.AT_VERSION && index < BlockHeader.AT_HEADER_BYTES;
    }

    private static void flip(ByteBuffer bytes, int bit) {
        bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ (1 << (bit % 8))));
    }
}
