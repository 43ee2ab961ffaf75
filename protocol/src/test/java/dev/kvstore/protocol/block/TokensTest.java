package dev.kvstore.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokensTest {
    @Test
    void anArrayIsReadInPlace() {
        int[] ids = {1, -2, Integer.MAX_VALUE, Integer.MIN_VALUE};

        assertThat(Tokens.of(ids).toArray()).isEqualTo(ids).isNotSameAs(ids);
        assertThat(Tokens.of().size()).isZero();
    }

    @Test
    void aSliceOfAnArrayStartsWhereItWasAskedTo() {
        Tokens slice = Tokens.slice(new int[] {1, 2, 3, 4}, 1, 2);

        assertThat(slice.size()).isEqualTo(2);
        assertThat(slice.get(1)).isEqualTo(3);
        assertThat(slice.toArray()).containsExactly(2, 3);
    }

    @Test
    void aSliceOfAListStartsWhereItWasAskedTo() {
        assertThat(Tokens.slice(List.of(1, 2, 3, 4), 2, 2).toArray()).containsExactly(3, 4);
    }

    @Test
    void bytesAreLittleEndianWhateverTheBuffersOrderAndPosition() {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex("ff" + "01000000" + "feffffff"))
                .position(1);

        Tokens tokens = Tokens.of(bytes);

        assertThat(tokens.toArray()).containsExactly(1, -2);
        assertThat(bytes.position()).isEqualTo(1);
    }

    @Test
    void someAreWrittenLittleEndianWhereverTheyLie() {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex("01000000" + "feffffff" + "03000000" + "04000000"));
        int[] ids = {1, -2, 3, 4};

        for (Tokens tokens :
                List.of(Tokens.of(ids), Tokens.slice(List.of(1, -2, 3, 4), 0, 4), Tokens.of(bytes), reading(ids))) {
            ByteBuffer target =
                    ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).position(1);

            tokens.putTo(target, 1, 3);

            assertThat(target.position()).isEqualTo(9);
            assertThat(HexFormat.of().formatHex(target.array())).isEqualTo("00" + "feffffff" + "03000000" + "000000");
        }
    }

    /** As others may implement it. */
    private static Tokens reading(int... ids) {
        return new Tokens() {
            @Override
            public int size() {
                return ids.length;
            }

            @Override
            public int get(int index) {
                return ids[index];
            }
        };
    }
}
