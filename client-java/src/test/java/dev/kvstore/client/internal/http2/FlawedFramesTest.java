package dev.kvstore.client.internal.http2;

import static io.netty.handler.codec.http2.Http2Error.ENHANCE_YOUR_CALM;
import static io.netty.handler.codec.http2.Http2Error.FRAME_SIZE_ERROR;
import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames that break a rule of RFC 9113, section 6: each is refused, and nobody hears of it. */
class FlawedFramesTest {
    private static final int MOST_FRAME_BYTES = 1 << 20;
    private static final int PADDED = 0x8;
    private static final int PRIORITY = 0x20;

    private final AtomicInteger heard = new AtomicInteger();
    private final FrameDecoder decoder = new FrameDecoder(new CountingSink(heard), MOST_FRAME_BYTES);

    static Stream<Arguments> flaws() {
        return Stream.of(
                flaw("data of no stream", Http2FrameTypes.DATA, 0, 0, 1, PROTOCOL_ERROR),
                flaw("padded data without a pad length", Http2FrameTypes.DATA, PADDED, 1, 0, FRAME_SIZE_ERROR),
                flaw("headers of no stream", Http2FrameTypes.HEADERS, 4, 0, 1, PROTOCOL_ERROR),
                flaw("padded headers without bytes", Http2FrameTypes.HEADERS, 4 | PADDED, 1, 0, PROTOCOL_ERROR),
                flaw("a priority that is cut", Http2FrameTypes.HEADERS, 4 | PRIORITY, 1, 4, PROTOCOL_ERROR),
                flaw("a reset of no stream", Http2FrameTypes.RST_STREAM, 0, 0, 4, PROTOCOL_ERROR),
                flaw("a reset that is too short", Http2FrameTypes.RST_STREAM, 0, 1, 3, FRAME_SIZE_ERROR),
                flaw("a reset that is too long", Http2FrameTypes.RST_STREAM, 0, 1, 5, FRAME_SIZE_ERROR),
                flaw("an empty reset", Http2FrameTypes.RST_STREAM, 0, 1, 0, FRAME_SIZE_ERROR),
                flaw("settings of a stream", Http2FrameTypes.SETTINGS, 0, 1, 6, PROTOCOL_ERROR),
                flaw("a ping of a stream", Http2FrameTypes.PING, 0, 1, 8, PROTOCOL_ERROR),
                flaw("a go-away of a stream", Http2FrameTypes.GO_AWAY, 0, 1, 8, PROTOCOL_ERROR),
                flaw("a setting that is cut", Http2FrameTypes.SETTINGS, 0, 0, 7, FRAME_SIZE_ERROR),
                flaw("settings in an acknowledgement", Http2FrameTypes.SETTINGS, 1, 0, 6, FRAME_SIZE_ERROR),
                flaw("a push", Http2FrameTypes.PUSH_PROMISE, 4, 1, 9, PROTOCOL_ERROR),
                flaw("a ping that is too short", Http2FrameTypes.PING, 0, 0, 7, FRAME_SIZE_ERROR),
                flaw("a ping that is too long", Http2FrameTypes.PING, 0, 0, 9, FRAME_SIZE_ERROR),
                flaw("a go-away that is cut", Http2FrameTypes.GO_AWAY, 0, 0, 7, FRAME_SIZE_ERROR),
                flaw("a window update that is cut", Http2FrameTypes.WINDOW_UPDATE, 0, 0, 3, FRAME_SIZE_ERROR),
                flaw("a window update that is too long", Http2FrameTypes.WINDOW_UPDATE, 0, 1, 5, FRAME_SIZE_ERROR),
                flaw("a continuation of nothing", Http2FrameTypes.CONTINUATION, 4, 1, 1, PROTOCOL_ERROR),
                flaw("a long go-away", Http2FrameTypes.GO_AWAY, 0, 0, (64 << 10) + 1, ENHANCE_YOUR_CALM),
                flaw("long headers", Http2FrameTypes.HEADERS, 4, 1, (64 << 10) + 1, ENHANCE_YOUR_CALM),
                flaw("a frame that is too long", Http2FrameTypes.DATA, 0, 1, MOST_FRAME_BYTES + 1, FRAME_SIZE_ERROR));
    }

    private static Arguments flaw(String name, byte type, int flags, int stream, int bytes, Http2Error error) {
        return Arguments.argumentSet(name, type, flags, stream, bytes, error);
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void aFlawedFrameIsRefused(byte type, int flags, int stream, int bytes, Http2Error error) throws Exception {
        settle();

        assertThatThrownBy(() -> decoder.decode(frame(type, flags, stream, new byte[bytes])))
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        flaw -> assertThat(flaw.error()).isEqualTo(error));

        assertThat(heard).hasValue(0);
    }

    @Test
    void aContinuationOfAnotherStreamIsRefused() throws Exception {
        settle();
        decoder.decode(frame(Http2FrameTypes.HEADERS, 0, 1, new byte[3]));

        assertThatThrownBy(() -> decoder.decode(frame(Http2FrameTypes.CONTINUATION, 4, 3, new byte[3])))
                .hasMessageContaining("inside of a header block");
        assertThat(heard).hasValue(0);
    }

    @Test
    void paddingMayFillItsFrameToTheLastByte() throws Exception {
        settle();

        decoder.decode(frame(Http2FrameTypes.DATA, PADDED, 1, new byte[] {2, 0, 0}));
        decoder.decode(frame(Http2FrameTypes.HEADERS, 4 | PADDED, 1, new byte[] {2, 0, 0}));

        assertThat(heard).as("data, its end, and headers").hasValue(3);
    }

    @Test
    void theReservedBitOfAStreamAndOfAWindowIsIgnored() throws Exception {
        settle();

        decoder.decode(frame(Http2FrameTypes.RST_STREAM, 0, 0x8000_0001, new byte[4]));
        decoder.decode(frame(Http2FrameTypes.WINDOW_UPDATE, 0, 1, new byte[] {(byte) 0x80, 0, 0, 1}));

        assertThat(heard).hasValue(2);
    }

    @Test
    void aLongFrameThatNobodyKnowsIsSkippedByteByByte() throws Exception {
        settle();
        ByteBuf unknown = frame((byte) 99, 0xFF, 1, new byte[70_000]);
        while (unknown.isReadable()) {
            decoder.decode(unknown.readSlice(1));
        }

        decoder.decode(frame(Http2FrameTypes.RST_STREAM, 0, 1, new byte[4]));

        assertThat(heard).hasValue(1);
    }

    /** The first frame, which the tests do not count. */
    private void settle() throws ProtocolException {
        decoder.decode(frame(Http2FrameTypes.SETTINGS, 0, 0, new byte[0]));
        heard.set(0);
    }

    private static ByteBuf frame(byte type, int flags, int stream, byte[] payload) {
        return Unpooled.buffer()
                .writeMedium(payload.length)
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream)
                .writeBytes(payload);
    }

    /** Counts what it hears. */
    private record CountingSink(AtomicInteger heard) implements FrameSink {
        @Override
        public void data(int stream, int bytes) {
            if (bytes > 0) {
                heard.incrementAndGet();
            }
        }

        @Override
        public void piece(int stream, ByteBuf piece) {
            piece.release();
        }

        @Override
        public void dataEnded(int stream, boolean last) {
            heard.incrementAndGet();
        }

        @Override
        public void headers(int stream, ByteBuf block, boolean last) {
            heard.incrementAndGet();
        }

        @Override
        public void reset(int stream, long error) {
            assertThat(stream).isEqualTo(1);
            heard.incrementAndGet();
        }

        @Override
        public void setting(int name, long value) {
            heard.incrementAndGet();
        }

        @Override
        public void settingsEnded(boolean acknowledged) {
            heard.incrementAndGet();
        }

        @Override
        public void ping(boolean answer, long content) {
            heard.incrementAndGet();
        }

        @Override
        public void goAway(int last, long error, String reason) {
            heard.incrementAndGet();
        }

        @Override
        public void window(int stream, int bytes) {
            assertThat(bytes).isEqualTo(1);
            heard.incrementAndGet();
        }
    }
}
