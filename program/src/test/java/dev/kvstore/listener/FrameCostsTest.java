package dev.kvstore.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class FrameCostsTest {
    private final FrameCosts costs = new FrameCosts();

    private void walkAll(ByteBuf read) {
        assertThat(costs.walk(read, Integer.MAX_VALUE)).isEqualTo(read.readableBytes());
    }

    @Test
    void thePrefaceCostsNothing() {
        walkAll(ClientFrames.preface());

        assertThat(costs.spent()).isZero();
    }

    @Test
    void aCallCostsMoreThanOtherFrames() {
        walkAll(ClientFrames.preface());

        walkAll(ClientFrames.frame(ClientFrames.HEADERS, 30));
        assertThat(costs.spent()).isEqualTo(FrameCosts.CALL);

        walkAll(ClientFrames.frame(ClientFrames.DATA, 1_000_000));
        assertThat(costs.spent()).isEqualTo(FrameCosts.CALL + FrameCosts.OTHER);
    }

    @Test
    void theWalkEndsWithTheFrameThatSpendsTheBudget() {
        walkAll(ClientFrames.preface());
        ByteBuf call = ClientFrames.frame(ClientFrames.HEADERS, 30);
        ByteBuf calls = Unpooled.wrappedBuffer(call.duplicate(), call.duplicate(), call.duplicate());

        assertThat(costs.walk(calls, FrameCosts.CALL + 1)).isEqualTo(2 * call.readableBytes());
        assertThat(costs.walk(calls.slice(2 * call.readableBytes(), 5), FrameCosts.CALL + 1))
                .as("with the budget spent")
                .isZero();
    }

    @Property(tries = 300)
    void howBytesArriveChangesNothing(
            @ForAll @Size(min = 1, max = 40) List<@IntRange(max = 400) Integer> lengths,
            @ForAll @IntRange(min = 1, max = 50) int pieceBytes) {
        ByteBuf all = ClientFrames.preface();
        int expected = 0;
        for (int length : lengths) {
            int type = length % 10;
            all.writeBytes(ClientFrames.frame(type, length));
            expected += type == ClientFrames.HEADERS ? FrameCosts.CALL : FrameCosts.OTHER;
        }
        FrameCosts inPieces = new FrameCosts();
        for (int at = 0; at < all.readableBytes(); at += pieceBytes) {
            ByteBuf piece = all.slice(at, Math.min(pieceBytes, all.readableBytes() - at));
            assertThat(inPieces.walk(piece, Integer.MAX_VALUE)).isEqualTo(piece.readableBytes());
        }

        assertThat(inPieces.spent()).isEqualTo(expected);
    }
}
