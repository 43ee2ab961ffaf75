package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** A message in pieces reads like one array, and its pieces are given back once. */
class MessageBytesTest {
    private final List<ByteBuf> pieces = new ArrayList<>();

    private MessageBytes message(int... lengths) {
        pieces.clear();
        byte value = 0;
        int bytes = 0;
        for (int length : lengths) {
            ByteBuf piece = Unpooled.buffer().writeZero(3).skipBytes(3); // views begin anywhere
            for (int i = 0; i < length; i++) {
                piece.writeByte(value++);
            }
            pieces.add(piece);
            bytes += length;
        }
        return new MessageBytes(List.copyOf(pieces), bytes);
    }

    private static ByteArrayInputStream array(int... lengths) {
        int bytes = 0;
        for (int length : lengths) {
            bytes += length;
        }
        byte[] all = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            all[i] = (byte) i;
        }
        return new ByteArrayInputStream(all);
    }

    /** 0 reads a byte, 1 some bytes, 2 skips, 3 marks, 4 resets. */
    @Property(tries = 500)
    void whateverIsReadIsWhatAnArrayHas(
            @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 1, max = 9) Integer> lengths,
            @ForAll @Size(max = 30) List<@IntRange(max = 4) Integer> steps,
            @ForAll @IntRange(min = 0, max = 12) int amount)
            throws IOException {
        int[] sizes = lengths.stream().mapToInt(Integer::intValue).toArray();
        MessageBytes message = message(sizes);
        ByteArrayInputStream array = array(sizes);
        message.mark(Integer.MAX_VALUE); // a reset before the first mark means nothing
        for (int step : steps) {
            switch (step) {
                case 0 -> assertThat(message.read()).isEqualTo(array.read());
                case 1 -> {
                    byte[] came = new byte[amount + 2];
                    byte[] wanted = new byte[amount + 2];
                    assertThat(message.read(came, 1, amount)).isEqualTo(read(array, wanted, amount));
                    assertThat(came).isEqualTo(wanted);
                }
                case 2 -> assertThat(message.skip(amount)).isEqualTo(array.skip(amount));
                case 3 -> {
                    message.mark(Integer.MAX_VALUE);
                    array.mark(Integer.MAX_VALUE);
                }
                default -> {
                    message.reset();
                    array.reset();
                }
            }
            assertThat(message.available()).isEqualTo(array.available());
        }
        message.close();
        assertThat(pieces).allSatisfy(piece -> assertThat(piece.refCnt()).isZero());
    }

    /** {@link InputStream#read(byte[], int, int)} of nothing is 0 by its contract; an array at its end says -1. */
    private static int read(ByteArrayInputStream array, byte[] target, int amount) {
        return amount == 0 ? 0 : array.read(target, 1, amount);
    }

    @Test
    void eachPieceIsSeenOnceAsABufferFromWhereTheReaderIs() throws IOException {
        MessageBytes message = message(4, 2, 5);
        assertThat(message.skip(1)).isEqualTo(1);
        List<Integer> lengths = new ArrayList<>();
        byte next = 1;
        for (ByteBuffer view = message.getByteBuffer(); view != null; view = message.getByteBuffer()) {
            lengths.add(view.remaining());
            assertThat(view.get(view.position())).isEqualTo(next);
            next += (byte) view.remaining();
            message.skipNBytes(view.remaining());
        }

        assertThat(lengths).containsExactly(3, 2, 5);
        assertThat(message.byteBufferSupported()).isTrue();
        message.close();
    }

    @Test
    void whatIsDetachedGoesOnWhereTheReaderWasAndOwnsThePieces() throws IOException {
        MessageBytes message = message(3, 3);
        message.readNBytes(2);

        InputStream detached = message.detach();
        message.close();

        assertThat(message.read()).isEqualTo(-1);
        assertThat(message.available()).isZero();
        assertThat(pieces).allSatisfy(piece -> assertThat(piece.refCnt()).isEqualTo(1));
        assertThat(detached.readAllBytes()).containsExactly(2, 3, 4, 5);
        detached.close();
        assertThat(pieces).allSatisfy(piece -> assertThat(piece.refCnt()).isZero());
    }

    @Test
    void closingTwiceGivesThePiecesBackOnce() {
        MessageBytes message = message(2);
        Objects.requireNonNull(pieces.get(0)).retain();

        message.close();
        message.close();

        assertThat(pieces.get(0).refCnt()).isEqualTo(1);
        pieces.get(0).release();
    }

    @Test
    void anEmptyMessageIsAtItsEnd() throws IOException {
        MessageBytes message = message();

        assertThat(message.read()).isEqualTo(-1);
        assertThat(message.getByteBuffer()).isNull();
        assertThat(message.skip(5)).isZero();
        assertThat(message.skip(-5)).isZero();
        message.close();
    }
}
