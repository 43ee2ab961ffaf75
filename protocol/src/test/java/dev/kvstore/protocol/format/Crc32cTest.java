package dev.kvstore.protocol.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class Crc32cTest {
    @Test
    void theVectorsOfRfc3720Hold() {
        byte[] ones = new byte[32];
        Arrays.fill(ones, (byte) 0xff);

        assertThat(Crc32c.of(ByteBuffer.wrap("123456789".getBytes(US_ASCII)))).isEqualTo(0xe3069283);
        assertThat(Crc32c.of(ByteBuffer.wrap(new byte[32]))).isEqualTo(0x8a9136aa);
        assertThat(Crc32c.of(ByteBuffer.wrap(ones))).isEqualTo(0x62a8ab43);
        assertThat(Crc32c.of(ByteBuffer.wrap(
                        HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"))))
                .isEqualTo(0x46dd794e);
        assertThat(Crc32c.of(ByteBuffer.allocate(0))).isZero();
    }

    @Property
    void theChecksumOfTwoIsCombinedFromThoseOfEach(@ForAll byte[] first, @ForAll byte[] second) {
        int combined = Crc32c.combine(of(first), of(second), second.length);

        assertThat(combined).isEqualTo(Crc32c.of(List.of(ByteBuffer.wrap(first), ByteBuffer.wrap(second))));
    }

    @Property(tries = 100)
    void longStringsCombineAtAnySplit(
            @ForAll @IntRange(max = 3 << 20) int length,
            @ForAll @IntRange(max = 1000) int permille,
            @ForAll long seed) {
        byte[] whole = new byte[length];
        new Random(seed).nextBytes(whole);
        int split = (int) ((long) length * permille / 1000);
        int first = Crc32c.of(ByteBuffer.wrap(whole, 0, split));
        int second = Crc32c.of(ByteBuffer.wrap(whole, split, length - split));

        assertThat(Crc32c.combine(first, second, length - split)).isEqualTo(of(whole));
    }

    @Property
    void combiningManyIsCombiningOneByOne(@ForAll @Size(max = 20) List<byte[]> strings) {
        int combined = 0;
        for (byte[] bytes : strings) {
            combined = Crc32c.combine(combined, of(bytes), bytes.length);
        }

        assertThat(combined)
                .isEqualTo(Crc32c.of(strings.stream().map(ByteBuffer::wrap).toList()));
    }

    /** No array is that long: the same mebibyte over and over. */
    @Test
    void theLongestLengthCombines() {
        ByteBuffer mebibyte = ByteBuffer.allocate(1 << 20);
        List<ByteBuffer> second = new ArrayList<>(Collections.nCopies(2047, mebibyte));
        second.add(mebibyte.slice(0, (1 << 20) - 1));
        List<ByteBuffer> both = new ArrayList<>(second);
        both.addFirst(ByteBuffer.wrap(new byte[] {1, 2, 3}));

        assertThat(Crc32c.combine(of(new byte[] {1, 2, 3}), Crc32c.of(second), Integer.MAX_VALUE))
                .isEqualTo(Crc32c.of(both));
    }

    @Test
    void onlyWhatRemainsIsReadAndNothingMoves() {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {9, 1, 2, 9}).position(1).limit(3);

        assertThat(Crc32c.of(bytes)).isEqualTo(of(new byte[] {1, 2}));
        assertThat(Crc32c.of(List.of(bytes, bytes))).isEqualTo(of(new byte[] {1, 2, 1, 2}));
        assertThat(bytes.position()).isEqualTo(1);
        assertThat(bytes.limit()).isEqualTo(3);
    }

    private static int of(byte[] bytes) {
        return Crc32c.of(ByteBuffer.wrap(bytes));
    }
}
