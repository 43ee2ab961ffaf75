package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    private static final int MOST_FRAME_BYTES = 1 << 20;

    private final Recorder sink = new Recorder();
    private final FrameDecoder decoder = new FrameDecoder(sink, MOST_FRAME_BYTES);

    @Property(tries = 200)
    void framesAreTheSameHoweverTheirBytesCome(
            @ForAll @Size(min = 1, max = 30) List<@IntRange(min = 1, max = 40) Integer> cuts) throws Exception {
        Recorder here = new Recorder();
        FrameDecoder fresh = new FrameDecoder(here, MOST_FRAME_BYTES);
        ByteBuf bytes = conversation();
        int at = 0;
        for (int i = 0; at < bytes.readableBytes(); i++) {
            int size = Math.min(cuts.get(i % cuts.size()), bytes.readableBytes() - at);
            fresh.decode(bytes.copy(at, size));
            at += size;
        }
        assertThat(here.heard)
                .containsExactly(
                        "setting 4 = 70000",
                        "settings over, acknowledged: false",
                        "headers of 1, last: false: 0102030405",
                        "data of 1, 50 bytes",
                        "data of 1 over, last: false, with 50 bytes",
                        "data of 1, 11 bytes",
                        "data of 1 over, last: true, with 7 bytes",
                        "window of 0 + 5",
                        "ping, answer: true, 7",
                        "reset of 3: 8",
                        "go away after 5: 0 why");
    }

    @Property(tries = 500)
    void anyBytesAreFramesOrAFlawAndNothingElse(@ForAll @Size(max = 200) byte[] bytes) {
        ByteBuf all = Unpooled.buffer();
        frame(all, Http2FrameTypes.SETTINGS, 0, 0, new byte[0]);
        all.writeBytes(bytes);
        FrameDecoder fresh = new FrameDecoder(new Recorder(), MOST_FRAME_BYTES);
        try {
            fresh.decode(all);
        } catch (ProtocolException flaw) {
            assertThat(flaw).hasMessageNotContaining("null");
        }
    }

    @Test
    void aPeerThatSpeaksSomethingElseIsQuoted() {
        assertThatThrownBy(() -> decoder.decode(Unpooled.wrappedBuffer(new byte[] {21, 3, 3, 0, 2, 2, 70, 0, 0})))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("Hex dump for first 5 bytes: 1503030002");
    }

    @Test
    void aFrameLongerThanAllowedIsRefused() {
        ByteBuf bytes = settings();
        bytes.writeMedium(MOST_FRAME_BYTES + 1).writeByte(0).writeByte(0).writeInt(1);
        refused(bytes, Http2Error.FRAME_SIZE_ERROR);
    }

    @Test
    void aHeaderBlockWithoutEndIsRefused() {
        ByteBuf bytes = settings();
        frame(bytes, Http2FrameTypes.HEADERS, 0, 1, new byte[1000]);
        for (int i = 0; i < FrameDecoder.MOST_GATHERED_BYTES / 1000; i++) {
            frame(bytes, Http2FrameTypes.CONTINUATION, 0, 1, new byte[1000]);
        }
        refused(bytes, Http2Error.ENHANCE_YOUR_CALM);
    }

    @Test
    void aFrameInsideAHeaderBlockIsRefused() {
        ByteBuf bytes = settings();
        frame(bytes, Http2FrameTypes.HEADERS, 0, 1, new byte[3]);
        frame(bytes, Http2FrameTypes.PING, 0, 0, new byte[8]);
        refused(bytes, Http2Error.PROTOCOL_ERROR);
    }

    @Test
    void moreBytesOfPaddingThanOfFrameAreRefused() {
        ByteBuf bytes = settings();
        frame(bytes, Http2FrameTypes.DATA, 0x8, 1, new byte[] {3, 0, 0});
        refused(bytes, Http2Error.PROTOCOL_ERROR);
    }

    @Test
    void aPushIsRefused() {
        ByteBuf bytes = settings();
        frame(bytes, Http2FrameTypes.PUSH_PROMISE, 0x4, 1, new byte[5]);
        refused(bytes, Http2Error.PROTOCOL_ERROR);
    }

    @Test
    void framesNobodyKnowsAreSkipped() throws Exception {
        ByteBuf bytes = settings();
        frame(bytes, (byte) 77, 0xFF, 9, new byte[100]);
        frame(bytes, Http2FrameTypes.PING, 0, 0, new byte[] {0, 0, 0, 0, 0, 0, 0, 1});
        decoder.decode(bytes);
        assertThat(sink.heard).endsWith("ping, answer: false, 1");
    }

    private void refused(ByteBuf bytes, Http2Error error) {
        assertThatThrownBy(() -> decoder.decode(bytes))
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        flaw -> assertThat(flaw.error()).isEqualTo(error));
    }

    private static ByteBuf settings() {
        ByteBuf bytes = Unpooled.buffer();
        frame(bytes, Http2FrameTypes.SETTINGS, 0, 0, new byte[0]);
        return bytes;
    }

    private static ByteBuf conversation() {
        ByteBuf bytes = Unpooled.buffer();
        frame(bytes, Http2FrameTypes.SETTINGS, 0, 0, new byte[] {0, 4, 0, 1, 0x11, 0x70});
        frame(bytes, Http2FrameTypes.HEADERS, 0x8 | 0x20, 1, new byte[] {2, 0, 0, 0, 0, 9, 1, 2, 3, 0, 0});
        frame(bytes, Http2FrameTypes.CONTINUATION, 0x4, 1, new byte[] {4, 5});
        frame(bytes, Http2FrameTypes.DATA, 0, 1, new byte[50]);
        frame(bytes, Http2FrameTypes.DATA, 0x1 | 0x8, 1, new byte[] {3, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0});
        frame(bytes, Http2FrameTypes.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 5});
        frame(bytes, Http2FrameTypes.PING, 0x1, 0, new byte[] {0, 0, 0, 0, 0, 0, 0, 7});
        frame(bytes, Http2FrameTypes.RST_STREAM, 0, 3, new byte[] {0, 0, 0, 8});
        frame(bytes, Http2FrameTypes.GO_AWAY, 0, 0, new byte[] {0, 0, 0, 5, 0, 0, 0, 0, 'w', 'h', 'y'});
        return bytes;
    }

    private static void frame(ByteBuf to, byte type, int flags, int stream, byte[] payload) {
        to.writeMedium(payload.length)
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream)
                .writeBytes(payload);
    }

    /** The frames that were decoded, in words. */
    private static final class Recorder implements FrameSink {
        private final List<String> heard = new ArrayList<>();
        private int pieces;

        @Override
        public void data(int stream, int bytes) {
            heard.add("data of " + stream + ", " + bytes + " bytes");
            pieces = 0;
        }

        @Override
        public void piece(int stream, ByteBuf piece) {
            pieces += piece.readableBytes();
            piece.release();
        }

        @Override
        public void dataEnded(int stream, boolean last) {
            heard.add("data of " + stream + " over, last: " + last + ", with " + pieces + " bytes");
        }

        @Override
        public void headers(int stream, ByteBuf block, boolean last) {
            heard.add("headers of " + stream + ", last: " + last + ": " + ByteBufUtil.hexDump(block));
        }

        @Override
        public void reset(int stream, long error) {
            heard.add("reset of " + stream + ": " + error);
        }

        @Override
        public void setting(int name, long value) {
            heard.add("setting " + name + " = " + value);
        }

        @Override
        public void settingsEnded(boolean acknowledged) {
            heard.add("settings over, acknowledged: " + acknowledged);
        }

        @Override
        public void ping(boolean answer, long content) {
            heard.add("ping, answer: " + answer + ", " + content);
        }

        @Override
        public void goAway(int last, long error, String why) {
            heard.add("go away after " + last + ": " + error + " " + why);
        }

        @Override
        public void window(int stream, int bytes) {
            heard.add("window of " + stream + " + " + bytes);
        }
    }
}
