package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.testing.Patience;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises to a call, whichever transport carries it. */
abstract class CallContract {
    static final int WINDOW_BYTES = 1024 * 1024;
    static final int MOST_MESSAGE_BYTES = 8 * 1024 * 1024;

    /** Long enough for a call to reach the server on a machine that runs many other tests. */
    private static final int DEADLINE_SECONDS = 5;

    ManagedChannel channel = unconnected();

    /** A channel to a port of this machine, with the sizes above. */
    abstract ManagedChannel channel(int port);

    private ManagedChannel unconnected() {
        return channel(1);
    }

    @AfterEach
    void close() throws InterruptedException {
        channel.shutdownNow();
        assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    record ContractCall(ClientCall<byte[], byte[]> call, HeardCall heard) {}

    ContractCall call(RawServer server, CallOptions options, Metadata headers) {
        connect(server);
        ClientCall<byte[], byte[]> call = channel.newCall(ByteMessages.METHOD, options);
        HeardCall heard = new HeardCall();
        call.start(heard, headers);
        return new ContractCall(call, heard);
    }

    private void connect(RawServer server) {
        if (!channel.authority().endsWith(":" + server.port())) {
            channel.shutdownNow();
            channel = channel(server.port());
        }
    }

    /** A call that has said all it will. */
    HeardCall asked(RawServer server) {
        ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
        call.call().request(Integer.MAX_VALUE);
        call.call().halfClose();
        return call.heard();
    }

    /**
     * Returns when client and server have handled every frame that was under way on the connection: the answer to the
     * first call follows the frames of the server, and the second call follows the client's replies to them.
     */
    void settle(RawServer server) throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(asked(server).status().isOk()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16_379, 16_384, 65_536, 1_200_000, 5_000_000})
    void aMessageComesBackAsItWasSent(int bytes) throws Exception {
        byte[] message = new byte[bytes];
        new Random(bytes).nextBytes(message);
        assertEchoed(message, new Http2Settings());
    }

    @Test
    void aServerWithASmallWindowGetsEverything() throws Exception {
        byte[] message = new byte[500_000];
        new Random(1).nextBytes(message);
        assertEchoed(message, new Http2Settings().initialWindowSize(1000));
    }

    /** Where an application may have its bytes. */
    enum BufferPlacement {
        DIRECT(false),
        READ_ONLY(false) {
            @Override
            ByteBuffer of(byte[] bytes) {
                return super.of(bytes).asReadOnlyBuffer();
            }
        },
        HEAP(false) {
            @Override
            ByteBuffer of(byte[] bytes) {
                return ByteBuffer.wrap(bytes);
            }
        },
        LENT(true);

        private final boolean lent;

        BufferPlacement(boolean lent) {
            this.lent = lent;
        }

        ByteBuffer of(byte[] bytes) {
            return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLongFieldComesBackAsItWasSent(BufferPlacement place) throws Exception {
        for (int bytes : List.of(0, 1, 4_095, 4_096, 262_144, 1_200_000)) {
            byte[] field = new byte[bytes];
            new Random(bytes).nextBytes(field);
            try (RawServer server = RawServer.echo(new Http2Settings())) {
                LongCall call = longCall(server, CallOptions.DEFAULT, place.of(field), place.lent);

                assertThat(call.heard().status().isOk()).isTrue();
                byte[] message = ByteString.copyFromUtf8("head")
                        .concat(ByteString.copyFrom(field))
                        .toByteArray();
                assertThat(call.heard().messages()).containsExactly(message);
            }
        }
    }

    @Test
    void whatAnApplicationDoesWithItsBytesAfterTheCallReachesNobody() throws Exception {
        int much = 32_000_000; // more than the sockets take
        byte[] field = new byte[much];
        new Random(much).nextBytes(field);
        ByteBuffer bytes = BufferPlacement.LENT.of(field);
        ByteArrayOutputStream arrived = new ByteArrayOutputStream();
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        try (RawServer server = new RawServer(new Http2Settings(), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame) {
                with.widen(2 * much);
                goOn.join();
            } else if (frame instanceof Http2DataFrame data) {
                arrived.writeBytes(ByteBufUtil.getBytes(data.content()));
            }
        })) {
            CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(3, TimeUnit.SECONDS);

            LongCall call = longCall(server, soon, bytes, true);

            assertThat(call.heard().status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            bytes.put(new byte[much]);
            goOn.complete(null);
            await().until(() -> !server.heard(Http2ResetFrame.class).isEmpty());
            int head = Deframer.PREFIX_BYTES + "head".length();
            byte[] sent = arrived.toByteArray();
            assertThat(sent).hasSizeBetween(head + 1_000_000, much);
            assertThat(Arrays.mismatch(sent, head, sent.length, field, 0, sent.length - head))
                    .as("the first byte that differs")
                    .isEqualTo(-1);
        }
    }

    record LongCall(ClientCall<LongMessage, byte[]> call, HeardCall heard) {}

    /** A call with one message, of "head" and these bytes. */
    LongCall longCall(RawServer server, CallOptions options, ByteBuffer bytes, boolean lent) {
        connect(server);
        ClientCall<LongMessage, byte[]> call = channel.newCall(LongMessage.asking(ByteMessages.METHOD), options);
        HeardCall heard = new HeardCall();
        call.start(heard, new Metadata());
        call.request(2);
        call.sendMessage(new LongMessage(ByteString.copyFromUtf8("head"), bytes, lent));
        call.halfClose();
        return new LongCall(call, heard);
    }

    private void assertEchoed(byte[] message, Http2Settings settings) throws Exception {
        try (RawServer server = RawServer.echo(settings)) {
            ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
            call.call().request(2);
            call.call().sendMessage(message);
            call.call().halfClose();
            assertThat(call.heard().status().isOk()).isTrue();
            assertThat(call.heard().messages()).containsExactly(message);
        }
    }

    @Test
    void metadataTravelsAsTextAndBytes() throws Exception {
        Metadata.Key<String> text = Metadata.Key.of("text", Metadata.ASCII_STRING_MARSHALLER);
        Metadata.Key<byte[]> binary = Metadata.Key.of("some-bin", Metadata.BINARY_BYTE_MARSHALLER);
        Metadata headers = new Metadata();
        headers.put(text, "a value");
        headers.put(binary, new byte[] {0, 1, -1, 7});
        try (RawServer server = new RawServer(new Http2Settings(), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                with.headers(request.stream());
                with.fields(
                        request.stream(),
                        new DefaultHttp2Headers(false)
                                .setInt("grpc-status", 0)
                                .set("text", request.headers().get("text"))
                                .set("some-bin", request.headers().get("some-bin")),
                        true);
            }
        })) {
            ContractCall call = call(server, CallOptions.DEFAULT, headers);
            call.call().request(1);
            call.call().halfClose();
            Metadata trailers = call.heard().end().trailers();
            assertThat(trailers.get(text)).isEqualTo("a value");
            assertThat(trailers.get(binary)).containsExactly(0, 1, -1, 7);
        }
    }

    @Test
    void anErrorWithoutAnAnswerIsItsStatusMessageAndTrailers() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> with.fields(
                stream,
                RawServer.grpc()
                        .setInt("grpc-status", 8)
                        .set("grpc-message", "too much: 100%25 g%C3%A4nzlich")
                        .set("kvstore-version", "7"),
                true))) {
            HeardCall heard = asked(server);
            assertThat(heard.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(heard.status().getDescription()).isEqualTo("too much: 100% gänzlich");
            assertThat(heard.end().trailers().get(Metadata.Key.of("kvstore-version", Metadata.ASCII_STRING_MARSHALLER)))
                    .isEqualTo("7");
        }
    }

    @Test
    void whatArrivedBeforeAnErrorIsDelivered() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            with.message(stream, new byte[] {1});
            with.message(stream, new byte[] {2});
            with.trailers(stream, 15, "lost");
        })) {
            HeardCall heard = asked(server);
            assertThat(heard.status().getCode()).isEqualTo(Status.Code.DATA_LOSS);
            assertThat(heard.messages()).hasSize(2);
        }
    }

    @Test
    void aServerMayBeDoneBeforeItHasHeardEverything() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            with.trailers(stream, 7, "not yours");
        })) {
            ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
            call.call().request(1);
            call.call().sendMessage(new byte[3_000_000]);
            assertThat(call.heard().status().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"REFUSED_STREAM:UNAVAILABLE", "CANCEL:CANCELLED", "ENHANCE_YOUR_CALM:RESOURCE_EXHAUSTED"})
    void aResetIsTheStatusThatGrpcGivesIt(String pair) throws Exception {
        Http2Error error = Http2Error.valueOf(pair.substring(0, pair.indexOf(':')));
        try (RawServer server = RawServer.answering((with, stream) -> with.reset(stream, error))) {
            assertThat(asked(server).status().getCode())
                    .isEqualTo(Status.Code.valueOf(pair.substring(pair.indexOf(':') + 1)));
        }
    }

    @Test
    void theServerIsToldTheDeadlineAndThatItHasPassed() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            if (calls.getAndIncrement() == 0) {
                with.trailers(stream, 0, "");
            }
        })) {
            assertThat(asked(server).status().isOk())
                    .as("so that there is a connection")
                    .isTrue();
            ContractCall call = call(
                    server, CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS), new Metadata());
            call.call().request(1);
            assertThat(call.heard().status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            await("the server hears of it")
                    .until(() -> server.heard(Http2ResetFrame.class).size() == 1);
            assertThat(server.heard(Http2HeadersFrame.class)
                            .getLast()
                            .headers()
                            .get("grpc-timeout")
                            .toString())
                    .matches("[0-9]{1,8}[num]");
        }
    }

    @Test
    void aServerThatGaveUpWhenTheDeadlinePassedIsLate() throws Exception {
        Deadline until = Deadline.after(100, TimeUnit.MILLISECONDS);
        CompletableFuture<Status> end = new CompletableFuture<>();
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            with.reset(stream, Http2Error.CANCEL);
        })) {
            channel.shutdownNow();
            channel = channel(server.port());
            channel.newCall(ByteMessages.METHOD, CallOptions.DEFAULT.withDeadline(until))
                    .start(
                            new ClientCall.Listener<>() {
                                @Override
                                public void onHeaders(Metadata headers) {
                                    await().until(until::isExpired);
                                }

                                @Override
                                public void onClose(Status status, Metadata trailers) {
                                    end.complete(status);
                                }
                            },
                            new Metadata());
            assertThat(end.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        }
    }

    @Test
    void aServerThatGaveUpWithDetailsWhenTheDeadlinePassedIsLateWithoutThem() throws Exception {
        CompletableFuture<com.google.rpc.@Nullable Status> details = new CompletableFuture<>();
        String cancelled = Base64.getEncoder()
                .encodeToString(
                        com.google.rpc.Status.newBuilder().setCode(1).build().toByteArray());
        try (RawServer server = RawServer.answering((with, stream) -> {
            // In one write, so that no timer of the client comes between.
            var _ = with.context().write(new DefaultHttp2HeadersFrame(RawServer.grpc()).stream(stream));
            with.fields(
                    stream,
                    new DefaultHttp2Headers(false).setInt("grpc-status", 1).set("grpc-status-details-bin", cancelled),
                    true);
        })) {
            assertThat(asked(server).status().getCode())
                    .as("so that there is a connection")
                    .isEqualTo(Status.Code.CANCELLED);
            Deadline until = Deadline.after(500, TimeUnit.MILLISECONDS);
            channel.newCall(ByteMessages.METHOD, CallOptions.DEFAULT.withDeadline(until))
                    .start(
                            new ClientCall.Listener<>() {
                                @Override
                                public void onHeaders(Metadata headers) {
                                    await().until(until::isExpired);
                                }

                                @Override
                                public void onClose(Status status, Metadata trailers) {
                                    var _ = details.completeAsync(
                                            () -> StatusProto.fromStatusAndTrailers(status, trailers), Runnable::run);
                                }
                            },
                            new Metadata());
            assertThat(details).succeedsWithin(Patience.LIMIT);
            assertThat(Objects.requireNonNull(details.join()).getCode())
                    .isEqualTo(Status.Code.DEADLINE_EXCEEDED.value());
        }
    }

    @Test
    void aCancelledCallEndsAndItsServerHearsOfIt() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> with.headers(stream))) {
            ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
            call.call().request(1);
            await().until(() -> !server.heard(Http2HeadersFrame.class).isEmpty());
            call.call().cancel("enough", null);
            assertThat(call.heard().status().getCode()).isEqualTo(Status.Code.CANCELLED);
            await().until(() -> server.heard(Http2ResetFrame.class).stream()
                    .anyMatch(reset -> reset.errorCode() == Http2Error.CANCEL.code()));
        }
    }

    @Test
    void aReaderThatTakesNothingHoldsNoMoreThanTheWindow() throws Exception {
        AtomicLong sent = new AtomicLong();
        AtomicInteger calls = new AtomicInteger();
        byte[] message = new byte[10_000];
        int messages = 3 * WINDOW_BYTES / message.length;
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            for (int i = 0; calls.get() == 0 && i < messages; i++) {
                with.context()
                        .write(new io.netty.handler.codec.http2.DefaultHttp2DataFrame(RawServer.framed(message))
                                .stream(stream))
                        .addListener(written -> sent.addAndGet(Deframer.PREFIX_BYTES + message.length));
            }
            calls.incrementAndGet();
            with.trailers(stream, 0, "");
        })) {
            ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
            call.call().halfClose();
            await("half a window is sent").until(() -> sent.get() > WINDOW_BYTES / 2);
            settle(server);
            assertThat(sent).hasValueLessThanOrEqualTo(WINDOW_BYTES);
            assertThat(call.heard().isOver()).isFalse();
            call.call().request(Integer.MAX_VALUE);
            assertThat(call.heard().status().isOk()).isTrue();
            assertThat(call.heard().messages()).hasSize(messages);
        }
    }

    @Test
    void noMoreMessagesAreDeliveredThanWereAskedFor() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            for (int i = 0; calls.get() == 0 && i < 5; i++) {
                with.message(stream, new byte[] {(byte) i});
            }
            calls.incrementAndGet();
            with.trailers(stream, 0, "");
        })) {
            ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
            call.call().request(2);
            call.call().halfClose();
            await("two messages").until(() -> call.heard().messages().size() == 2);
            settle(server);
            assertThat(call.heard().messages()).hasSize(2);
            assertThat(call.heard().isOver()).isFalse();
            call.call().request(10);
            assertThat(call.heard().status().isOk()).isTrue();
            assertThat(call.heard().messages()).hasSize(5);
        }
    }

    @Test
    void headersBeyondAnyMeasureEndTheirCallAndNoOther() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
            if (calls.getAndIncrement() == 0) {
                with.fields(stream, RawServer.grpc().set("long", "x".repeat(50_000)), false);
            } else {
                with.headers(stream);
                with.trailers(stream, 0, "");
            }
        })) {
            assertThat(asked(server).status().isOk()).isFalse();
            assertThat(asked(server).status().isOk()).isTrue();
        }
    }

    @Test
    void anAnswerThatIsNotGrpcSaysWhatItIs() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.fields(stream, new DefaultHttp2Headers(false).status("503").set("content-type", "text/html"), false);
            with.send(stream, Unpooled.copiedBuffer("<html>".getBytes(java.nio.charset.StandardCharsets.UTF_8)), true);
        })) {
            Status status = asked(server).status();
            assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(status.getDescription()).contains("503").contains("text/html");
        }
    }

    @Test
    void aMessageThatIsTooLongEndsTheCall() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            with.send(stream, Unpooled.buffer().writeByte(0).writeInt(MOST_MESSAGE_BYTES + 1), false);
        })) {
            assertThat(asked(server).status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        }
    }

    @Test
    void aCompressedMessageThatNobodyAskedForEndsTheCall() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            with.send(stream, Unpooled.buffer().writeByte(1).writeInt(1).writeByte(0), false);
        })) {
            assertThat(asked(server).status().getCode()).isEqualTo(Status.Code.INTERNAL);
        }
    }

    @Test
    void aStreamThatEndsInsideAMessageFails() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            with.send(stream, Unpooled.buffer().writeByte(0).writeInt(100).writeByte(0), false);
            with.trailers(stream, 0, "");
        })) {
            HeardCall heard = asked(server);
            assertThat(heard.status().getCode()).isEqualTo(Status.Code.INTERNAL);
            assertThat(heard.messages()).isEmpty();
        }
    }

    @Test
    void aStreamThatEndsWithoutSayingHowFails() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            with.send(stream, RawServer.framed(new byte[] {1}), true);
        })) {
            assertThat(asked(server).status().isOk()).isFalse();
        }
    }

    @Test
    void whoIsNotReadIsToldToSendNoMore() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
            if (calls.getAndIncrement() > 0) {
                with.headers(stream);
                with.trailers(stream, 0, "");
            }
        })) {
            ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
            call.call().request(1);
            await("the call may send").until(() -> call.call().isReady());
            await("the call may not send").until(() -> !sentIfReady(call));
            settle(server);
            assertThat(call.call().isReady()).isFalse();
            assertThat(server.heard(Http2DataFrame.class).stream()
                            .mapToLong(Http2DataFrame::initialFlowControlledBytes)
                            .sum())
                    .isBetween(1L, 65_535L);
        }
    }

    private static boolean sentIfReady(ContractCall call) {
        boolean ready = call.call().isReady();
        if (ready) {
            call.call().sendMessage(new byte[100_000]);
        }
        return ready;
    }
}
