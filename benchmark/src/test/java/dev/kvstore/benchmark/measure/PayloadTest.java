package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    private static final BlockHash BLOCK = new BlockHash(1, 2, 4, 8);
    private static final int LENGTH = 1_003;

    @Test
    void isWhatItsDefinitionSays() {
        // The first outputs of SplitMix64 for seed 0, as its authors' C code prints them.
        ByteBuffer bytes = ByteBuffer.allocate(16);
        Payload.fill(new BlockHash(7, 7, 9, 9), bytes);

        assertThat(bytes.order(ByteOrder.LITTLE_ENDIAN).getLong(0)).isEqualTo(0xE220A8397B1DCDAFL);
        assertThat(bytes.getLong(8)).isEqualTo(0x6E789E6AA1B965F4L);
    }

    @Test
    void isAnotherForAnotherBlock() {
        long different = Payload.firstDifference(new BlockHash(1, 2, 4, 9), LENGTH, List.of(filled()));

        assertThat(different).isBetween(0L, 8L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 100, 1_003})
    void isRecognisedInPiecesOfAnySize(int pieceBytes) {
        assertThat(Payload.firstDifference(BLOCK, LENGTH, pieces(filled(), pieceBytes)))
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 8, 500, 999, 1_000, 1_002})
    void findsEachByteThatDiffers(int position) {
        ByteBuffer bytes = filled();
        bytes.put(position, (byte) (bytes.get(position) ^ 0x10));

        for (int pieceBytes : new int[] {1, 13, 1_003}) {
            assertThat(Payload.firstDifference(BLOCK, LENGTH, pieces(bytes, pieceBytes)))
                    .isEqualTo(position);
        }
    }

    @Test
    void findsMissingBytes() {
        assertThat(Payload.firstDifference(BLOCK, LENGTH, List.of(filled().slice(0, 900))))
                .isEqualTo(900);
    }

    @Test
    void findsBytesTooMany() {
        assertThat(Payload.firstDifference(BLOCK, 900, List.of(filled()))).isEqualTo(900);
    }

    @Test
    void leavesPositionsWhereTheyWere() {
        ByteBuffer bytes = filled();

        assertThat(bytes.position()).isZero();
        assertThat(bytes.remaining()).isEqualTo(LENGTH);
    }

    private static ByteBuffer filled() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
        Payload.fill(BLOCK, bytes);
        return bytes;
    }

    private static List<ByteBuffer> pieces(ByteBuffer bytes, int pieceBytes) {
        List<ByteBuffer> pieces = new ArrayList<>();
        for (int from = 0; from < bytes.limit(); from += pieceBytes) {
            pieces.add(bytes.slice(from, Math.min(pieceBytes, bytes.limit() - from)));
        }
        return pieces;
    }
}
