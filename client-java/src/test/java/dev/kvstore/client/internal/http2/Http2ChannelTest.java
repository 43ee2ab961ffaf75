package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Http2ChannelTest extends TransportContract {
    private static @Nullable EventLoopGroup loops;

    static final ChannelSettings SETTINGS = new ChannelSettings(
            WINDOW_BYTES,
            MOST_MESSAGE_BYTES,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            "test");

    @BeforeAll
    static void start() {
        loops = new NioEventLoopGroup(1);
    }

    @Override
    ManagedChannel channel(int port) {
        Dialer dialer =
                new Dialer("127.0.0.1", port, NioSocketChannel.class, null, SETTINGS, Thread::startVirtualThread);
        return new Http2Channel(dialer, SETTINGS, Objects.requireNonNull(loops).next());
    }

    /** grpc-java's call refuses to start instead. */
    @Test
    void aCallCancelledBeforeItBeginsIsOver() throws Exception {
        ManagedChannel channel = channel(1);
        ClientCall<byte[], byte[]> call = channel.newCall(ByteMessages.METHOD, CallOptions.DEFAULT);
        call.cancel("no more", null);
        HeardCall heard = new HeardCall();

        call.start(heard, new Metadata());

        assertThat(heard.status().getCode()).isEqualTo(Status.Code.CANCELLED);
        channel.shutdownNow();
    }

    @Test
    void aCallThatWaitsForItsTurnSurvivesAGoAwayThatLeavesTheFirstOneOut() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (RawServer server = new RawServer(new Http2Settings().maxConcurrentStreams(1), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request && requests.getAndIncrement() > 0) {
                with.headers(request.stream());
                with.trailers(request.stream(), 0, "");
            } else if (frame instanceof Http2DataFrame && requests.get() == 1) {
                with.goAway(0);
            }
        })) {
            ContractCall first = call(server, CallOptions.DEFAULT, new Metadata());
            first.call().request(1);
            await().until(() -> !server.heard(Http2HeadersFrame.class).isEmpty());
            HeardCall second = asked(server);
            first.call().sendMessage(new byte[1]);
            assertThat(second.status().isOk()).isTrue();
            assertThat(server.connections()).isGreaterThan(1);
        }
    }

    @Test
    void answersThatAreNotReadHoldNoMoreThanAWindowEach() throws Exception {
        AtomicLong sent = new AtomicLong();
        AtomicInteger requests = new AtomicInteger();
        int unread = 3;
        int messages = 150;
        int piece = WINDOW_BYTES / 100;
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            boolean much = requests.getAndIncrement() < unread;
            for (int i = 0; much && i < messages; i++) {
                with.context()
                        .write(new DefaultHttp2DataFrame(RawServer.framed(new byte[piece])).stream(stream))
                        .addListener(written -> sent.addAndGet(Deframer.PREFIX_BYTES + piece));
            }
            with.trailers(stream, 0, "");
        })) {
            List<ContractCall> calls = new ArrayList<>();
            for (int i = 0; i < unread; i++) {
                calls.add(call(server, CallOptions.DEFAULT, new Metadata()));
                calls.getLast().call().halfClose();
            }
            await("more than two windows are sent").until(() -> sent.get() > 2 * WINDOW_BYTES);
            settle(server);
            assertThat(sent).hasValueLessThanOrEqualTo((long) unread * WINDOW_BYTES);
            for (ContractCall call : calls) {
                call.call().request(Integer.MAX_VALUE);
            }
            for (ContractCall call : calls) {
                assertThat(call.heard().status().isOk()).isTrue();
                assertThat(call.heard().messages()).hasSize(messages);
            }
        }
    }

    @Test
    void answersThatAreNotReadEndWithTheirChannel() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            with.message(stream, new byte[100]);
            with.trailers(stream, 0, "");
        })) {
            ContractCall unread = call(server, CallOptions.DEFAULT, new Metadata());
            unread.call().halfClose();
            assertThat(asked(server).status().isOk()).isTrue();
            channel.shutdown();
            assertThat(channel.isTerminated()).isFalse();
            channel.shutdownNow();
            assertThat(unread.heard().status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void callsThatWaitWhenAConnectionHasNoMoreStreamsGoToTheNextConnection() throws Exception {
        int streams = 3;
        try (RawServer server = new RawServer(new Http2Settings().maxConcurrentStreams(1), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                with.headers(request.stream());
            } else if (frame instanceof Http2DataFrame data && data.isEndStream()) {
                with.trailers(data.stream(), 0, "");
            }
        })) {
            Dialer dialer = new Dialer(
                    "127.0.0.1", server.port(), NioSocketChannel.class, null, SETTINGS, Thread::startVirtualThread);
            channel.shutdownNow();
            channel = new Http2Channel(
                    dialer,
                    SETTINGS,
                    Objects.requireNonNull(loops).next(),
                    PooledByteBufAllocator.DEFAULT,
                    2 * streams);
            ContractCall first = call(server, CallOptions.DEFAULT, new Metadata());
            await().until(() -> !server.heard(Http2HeadersFrame.class).isEmpty());
            List<HeardCall> others = new ArrayList<>();
            for (int i = 0; i < 3 * streams; i++) {
                others.add(asked(server));
            }

            first.call().halfClose();

            for (HeardCall other : others) {
                assertThat(other.status().isOk()).isTrue();
            }
            assertThat(server.connections()).isGreaterThan(2);
        }
    }

    @Test
    void aMessageIsOutBeforeTheNextBeginsAndWhatIsBriefWaitsForNone() throws Exception {
        int lengthy = 500_000;
        AtomicInteger requests = new AtomicInteger();
        try (RawServer server = new RawServer(new Http2Settings().initialWindowSize(0), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                with.headers(request.stream());
                if (requests.incrementAndGet() == 3) {
                    with.widen(1_000_000);
                }
            } else if (frame instanceof Http2DataFrame data) {
                with.taken(data);
                if (data.isEndStream()) {
                    with.trailers(data.stream(), 0, "");
                }
            }
        })) {
            List<ContractCall> calls = new ArrayList<>();
            for (int bytes : List.of(lengthy, lengthy, 10)) {
                ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
                call.call().request(1);
                call.call().sendMessage(new byte[bytes]);
                call.call().halfClose();
                calls.add(call);
            }
            for (ContractCall call : calls) {
                assertThat(call.heard().status().isOk()).isTrue();
            }
            List<Integer> streams = server.heard(Http2DataFrame.class).stream()
                    .map(frame -> frame.stream().id())
                    .toList();
            assertThat(streams.getFirst()).as("the brief one").isEqualTo(5);
            List<Integer> blocks = streams.stream().filter(id -> id < 5).toList();
            int next = blocks.indexOf(3);
            assertThat(blocks.subList(0, next)).containsOnly(1).hasSizeGreaterThan(lengthy / 20_000);
            assertThat(blocks.subList(next, blocks.size())).containsOnly(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Http2FrameTypes.PING, Http2FrameTypes.SETTINGS})
    void aServerThatAsksWithoutEndAndTakesNoAnswersIsGivenUp(int type) throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.context().channel().config().setAutoRead(false);
            with.flood(type, 2_000_000);
        })) {
            Status status = asked(server).status();
            assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(status.getDescription()).contains("does not take the answers");
        }
    }

    @Test
    void aServerThatAsksMuchAndTakesTheAnswersIsAnswered() throws Exception {
        AtomicInteger answers = new AtomicInteger();
        try (RawServer server = new RawServer(new Http2Settings(), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame) {
                with.flood(Http2FrameTypes.PING, 5_000);
            } else if (frame instanceof Http2PingFrame ping && ping.ack()) {
                answers.incrementAndGet();
            }
        })) {
            asked(server);
            await().until(() -> answers.get() == 5_000);
        }
    }

    @Test
    void aServerIsToldHowMuchOfHeadersIsTaken() throws Exception {
        try (RawServer server = RawServer.answering((with, stream) -> with.trailers(stream, 0, ""))) {
            asked(server).end();
            Http2Settings told =
                    server.heard(Http2SettingsFrame.class).getFirst().settings();
            assertThat(told.maxHeaderListSize()).isEqualTo(HeaderBlocks.MOST_BYTES);
            assertThat(told.headerTableSize()).as("HTTP/2's own, 4096").isNull();
            assertThat(told.pushEnabled()).isFalse();
        }
    }

    @AfterAll
    static void stop() {
        Objects.requireNonNull(loops).shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
