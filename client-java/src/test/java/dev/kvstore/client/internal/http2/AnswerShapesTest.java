package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.internal.http2.RawServer.ServerConversation;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers that are shaped in odd ways: some are right, and the others end their call alone. */
class AnswerShapesTest {
    private static final Metadata.Key<byte[]> SOME = Metadata.Key.of("some-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private static final Metadata.Key<String> LONG = Metadata.Key.of("long", Metadata.ASCII_STRING_MARSHALLER);

    /** The end of a call with this answer; a call after it is answered on the same connection. */
    private static HeardCall answered(BiConsumer<ServerConversation, Http2FrameStream> answer) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
                    if (calls.getAndIncrement() == 0) {
                        answer.accept(with, stream);
                    } else {
                        with.headers(stream);
                        with.trailers(stream, 0, "");
                    }
                });
                RawFrames frames = new RawFrames(server)) {
            HeardCall heard = frames.asking(CallOptions.DEFAULT, 10);
            heard.end();
            assertThat(frames.asking(CallOptions.DEFAULT, 10).status().isOk()).isTrue();
            assertThat(server.connections()).isEqualTo(1);
            return heard;
        }
    }

    @Test
    void headersThatOnlyInformArePassedOver() throws Exception {
        HeardCall heard = answered((with, stream) -> {
            with.fields(stream, new DefaultHttp2Headers(false).status("103"), false);
            with.headers(stream);
            with.message(stream, new byte[] {1});
            with.trailers(stream, 0, "");
        });

        assertThat(heard.status().isOk()).isTrue();
        assertThat(heard.messages()).hasSize(1);
    }

    @Test
    void headersThatInformAndEndTheStreamAreNoAnswer() throws Exception {
        HeardCall heard =
                answered((with, stream) -> with.fields(stream, new DefaultHttp2Headers(false).status("103"), true));

        assertThat(heard.status().isOk()).isFalse();
    }

    /** Netty's codec would not send them: HTTP status 200, by its index (RFC 7541, appendix A). */
    private static void headersAgain(ServerConversation with, Http2FrameStream stream) {
        RawFrames.send(with, Http2FrameTypes.HEADERS, FrameDecoder.END_HEADERS, stream.id(), new byte[] {(byte) 0x88});
    }

    @Test
    void headersThatComeTwiceAreAnErrorOfTheServer() throws Exception {
        HeardCall heard = answered((with, stream) -> {
            with.headers(stream);
            headersAgain(with, stream);
        });

        assertThat(heard.status().getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(heard.status().getDescription()).contains("headers twice");
    }

    @Test
    void aMessageBeforeTheHeadersIsAnErrorOfTheServer() throws Exception {
        HeardCall heard =
                answered((with, stream) -> RawFrames.send(with, Http2FrameTypes.DATA, 0, stream.id(), new byte[6]));

        assertThat(heard.status().getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(heard.status().getDescription()).contains("before its headers");
    }

    @Test
    void aHttpStatusThatIsNoNumberIsAnErrorOfTheServer() throws Exception {
        HeardCall heard = answered((with, stream) ->
                with.fields(stream, RawServer.grpc().status("fine").setInt("grpc-status", 0), true));

        assertThat(heard.status().getCode()).isEqualTo(Status.Code.INTERNAL);
    }

    @Test
    void trailersAloneAreAWholeAnswer() throws Exception {
        HeardCall heard = answered((with, stream) ->
                with.fields(stream, RawServer.grpc().setInt("grpc-status", 16).set("grpc-message", "who"), true));

        assertThat(heard.status().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(heard.status().getDescription()).isEqualTo("who");
    }

    @Test
    void severalBinaryValuesMayShareAField() throws Exception {
        HeardCall heard = answered((with, stream) ->
                with.fields(stream, RawServer.grpc().setInt("grpc-status", 0).set("some-bin", "AQI, Aw=="), true));

        List<byte[]> values = new ArrayList<>();
        Objects.requireNonNull(heard.end().trailers().getAll(SOME)).forEach(values::add);
        assertThat(values).containsExactly(new byte[] {1, 2}, new byte[] {3});
    }

    @Test
    void binaryValuesThatAreNotBase64AreAnErrorOfTheServer() throws Exception {
        HeardCall heard = answered((with, stream) ->
                with.fields(stream, RawServer.grpc().setInt("grpc-status", 0).set("some-bin", "???"), true));

        assertThat(heard.status().getCode()).isEqualTo(Status.Code.INTERNAL);
    }

    @ParameterizedTest
    @EnumSource
    void aResetAfterTheTrailersChangesNothing(Http2Error error) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
                    with.headers(stream);
                    if (calls.getAndIncrement() == 0) {
                        with.message(stream, new byte[] {1});
                        with.trailers(stream, 0, "");
                        RawFrames.send(
                                with, Http2FrameTypes.RST_STREAM, 0, stream.id(), RawFrames.word((int) error.code()));
                    } else {
                        with.trailers(stream, 0, "");
                    }
                });
                RawFrames frames = new RawFrames(server)) {
            HeardCall unread = new HeardCall();
            ClientCall<byte[], byte[]> call = frames.begin(unread, CallOptions.DEFAULT, new Metadata());
            assertThat(frames.asking(CallOptions.DEFAULT, 0).status().isOk())
                    .as("so that the reset has come")
                    .isTrue();

            call.request(2);

            assertThat(unread.status().isOk()).isTrue();
            assertThat(unread.messages()).hasSize(1);
        }
    }

    @Test
    void aGoAwayEndsOnlyTheCallsThatTheServerDidNotLookAt() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = new RawServer(new Http2Settings(), (with, frame) -> {
                    if (frame instanceof Http2HeadersFrame request) {
                        with.headers(request.stream());
                        if (calls.incrementAndGet() == 3) {
                            with.goAway(3);
                        }
                    } else if (frame instanceof Http2DataFrame data && data.isEndStream()) {
                        with.trailers(data.stream(), 0, "");
                    }
                });
                RawFrames frames = new RawFrames(server)) {
            List<HeardCall> heard = new ArrayList<>();
            List<ClientCall<byte[], byte[]>> begun = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                heard.add(new HeardCall());
                begun.add(frames.begin(heard.getLast(), CallOptions.DEFAULT, new Metadata()));
                begun.getLast().request(1);
            }
            assertThat(heard.get(2).status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(heard.get(0).isOver()).isFalse();
            assertThat(heard.get(1).isOver())
                    .as("the last that the server looked at")
                    .isFalse();

            begun.forEach(ClientCall::halfClose);

            assertThat(heard.get(0).status().isOk()).isTrue();
            assertThat(heard.get(1).status().isOk()).isTrue();
        }
    }

    @Test
    void longHeadersOfACallGoOutInSeveralFrames() throws Exception {
        String text = "~".repeat(40_000);
        try (RawServer server = new RawServer(new Http2Settings().maxHeaderListSize(100_000), (with, frame) -> {
                    if (frame instanceof Http2HeadersFrame request) {
                        int came = request.headers().get("long").length();
                        with.fields(
                                request.stream(),
                                RawServer.grpc().setInt("grpc-status", 0).setInt("came", came),
                                true);
                    }
                });
                RawFrames frames = new RawFrames(server)) {
            Metadata headers = new Metadata();
            headers.put(LONG, text);
            HeardCall heard = new HeardCall();
            frames.begin(heard, CallOptions.DEFAULT, headers).halfClose();

            assertThat(heard.end().trailers().get(Metadata.Key.of("came", Metadata.ASCII_STRING_MARSHALLER)))
                    .isEqualTo("40000");
        }
    }

    @Test
    void aMessageThatIsCutAtAnyByteIsOneMessage() throws Exception {
        HeardCall heard = answered((with, stream) -> {
            with.headers(stream);
            for (int cut = 1; cut < 17; cut++) {
                ByteBuf message = RawServer.framed(new byte[12]);
                with.send(stream, message.readRetainedSlice(cut), false);
                with.send(stream, message, false);
            }
            with.trailers(stream, 0, "");
        });

        assertThat(heard.status().isOk()).isTrue();
        assertThat(heard.messages())
                .hasSize(16)
                .allSatisfy(message -> assertThat(message).hasSize(12));
    }

    @Test
    void aCallThatFailsHereIsResetAtTheServer() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
                    with.headers(stream);
                    headersAgain(with, stream);
                });
                RawFrames frames = new RawFrames(server)) {
            frames.asking(CallOptions.DEFAULT, 10).end();

            await().until(() -> server.heard(Http2ResetFrame.class).stream()
                    .anyMatch(reset -> reset.errorCode() == Http2Error.CANCEL.code()));
        }
    }
}
