package dev.kvstore.client.internal.http2;

import static dev.kvstore.client.internal.http2.RawFrames.LEAST_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.internal.http2.RawServer.ServerConversation;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows at their bounds (RFC 9113, sections 5.2 and 6.9). */
class FlowControlTest {
    private static final int MOST = Integer.MAX_VALUE;

    /** A server that does something at its first call, and answers all others. */
    private static RawServer server(Consumer<ServerConversation> first) {
        AtomicInteger calls = new AtomicInteger();
        return RawServer.answering((with, stream) -> {
            if (calls.getAndIncrement() == 0) {
                first.accept(with);
            } else {
                with.headers(stream);
                with.trailers(stream, 0, "");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, MOST})
    void aStreamsWindowThatIsWidenedByNothingOrTooMuchEndsItsCallAlone(int bytes) throws Exception {
        try (RawServer server = server(with -> RawFrames.widen(with, 1, bytes));
                RawFrames frames = new RawFrames(server)) {
            Status status = frames.asking(CallOptions.DEFAULT, 0).status();

            assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
            assertThat(status.getDescription()).contains("WINDOW_UPDATE of " + bytes);
            assertThat(frames.asking(CallOptions.DEFAULT, 0).status().isOk()).isTrue();
            assertThat(server.connections()).isEqualTo(1);
            await().until(() -> server.heard(Http2ResetFrame.class).size() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, MOST})
    void aConnectionsWindowThatIsWidenedByNothingOrTooMuchEndsTheConnection(int bytes) throws Exception {
        assertConnectionEnds(with -> RawFrames.widen(with, 0, bytes), Http2Error.FLOW_CONTROL_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {MOST + 1, -1})
    void aFirstWindowBeyondTheBoundEndsTheConnection(int bytes) throws Exception {
        assertConnectionEnds(
                with -> RawFrames.setting(with, Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE, bytes),
                Http2Error.FLOW_CONTROL_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, (1 << 14) - 1, 1 << 24, -1})
    void aFrameSizeOutOfBoundsEndsTheConnection(int bytes) throws Exception {
        assertConnectionEnds(
                with -> RawFrames.setting(with, Http2CodecUtil.SETTINGS_MAX_FRAME_SIZE, bytes),
                Http2Error.PROTOCOL_ERROR);
    }

    @Test
    void aServerThatSendsMoreThanAStreamsWindowEndsTheConnection() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
                    with.headers(stream);
                    for (int i = 0; i < 5 && calls.get() == 0; i++) {
                        RawFrames.send(with, Http2FrameTypes.DATA, 0, stream.id(), new byte[16_000]);
                    }
                    calls.incrementAndGet();
                });
                RawFrames frames = new RawFrames(server)) {
            HeardCall unread = new HeardCall();
            frames.begin(unread, LEAST_WINDOW, new Metadata());

            assertThat(unread.status().getDescription()).contains("more than the stream's window");
            awaitGoAway(server, Http2Error.FLOW_CONTROL_ERROR);
        }
    }

    @Test
    void aServerThatSendsMoreThanTheConnectionsWindowEndsTheConnection() throws Exception {
        assertConnectionEnds(
                with -> RawFrames.send(with, Http2FrameTypes.DATA, 0, 1, new byte[RawFrames.WINDOW_BYTES + 1]),
                Http2Error.FLOW_CONTROL_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7})
    void aFrameOfAStreamThatNobodyOpenedEndsTheConnection(int stream) throws Exception {
        assertConnectionEnds(
                with -> RawFrames.send(with, Http2FrameTypes.RST_STREAM, 0, stream, RawFrames.word(8)),
                Http2Error.PROTOCOL_ERROR);
    }

    @Test
    void framesOfAStreamThatIsOverArePassedOver() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
                    if (calls.getAndIncrement() > 0) {
                        RawFrames.send(with, Http2FrameTypes.RST_STREAM, 0, 1, RawFrames.word(8));
                        RawFrames.widen(with, 1, 0);
                        RawFrames.send(with, Http2FrameTypes.DATA, 0, 1, new byte[100]);
                    }
                    with.headers(stream);
                    with.trailers(stream, 0, "");
                });
                RawFrames frames = new RawFrames(server)) {
            assertThat(frames.asking(CallOptions.DEFAULT, 0).status().isOk()).isTrue();
            assertThat(frames.asking(CallOptions.DEFAULT, 0).status().isOk()).isTrue();
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void paddingUsesTheWindowNoLongerThanItsFrame() throws Exception {
        int pieces = 1000;
        try (RawServer server = RawServer.answering((with, stream) -> {
                    with.headers(stream);
                    with.send(stream, Unpooled.buffer().writeByte(0).writeInt(pieces), false);
                    for (int i = 0; i < pieces; i++) {
                        var _ = with.context()
                                .write(new DefaultHttp2DataFrame(
                                                Unpooled.buffer().writeByte(1), false, 255)
                                        .stream(stream));
                    }
                    with.trailers(stream, 0, "");
                });
                RawFrames frames = new RawFrames(server)) {
            HeardCall heard = frames.asking(LEAST_WINDOW, 0);

            assertThat(heard.status().isOk()).isTrue();
            assertThat(heard.messages())
                    .singleElement()
                    .satisfies(message -> assertThat(message).hasSize(pieces));
        }
    }

    private static void assertConnectionEnds(Consumer<ServerConversation> wrong, Http2Error error) throws Exception {
        try (RawServer server = server(wrong);
                RawFrames frames = new RawFrames(server)) {
            assertThat(frames.asking(CallOptions.DEFAULT, 0).status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            awaitGoAway(server, error);
            assertThat(frames.asking(CallOptions.DEFAULT, 0).status().isOk())
                    .as("on a new connection")
                    .isTrue();
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    private static void awaitGoAway(RawServer server, Http2Error error) {
        await().until(() ->
                server.heard(Http2GoAwayFrame.class).stream().anyMatch(goAway -> goAway.errorCode() == error.code()));
    }
}
