package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.testing.ClosedPort;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * The promises to calls on one channel when connections come, go or are full; {@link CallContract} has the promises to
 * each call alone.
 */
abstract class TransportContract extends CallContract {
    @Test
    void callsUnderWayAtAGoAwayEndWellAndLaterOnesUseANewConnection() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            if (calls.getAndIncrement() == 0) {
                var _ = with.context().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
            }
            with.message(stream, new byte[] {9});
            with.trailers(stream, 0, "");
        })) {
            HeardCall first = asked(server);
            assertThat(first.status().isOk()).isTrue();
            assertThat(first.messages()).hasSize(1);
            assertThat(asked(server).status().isOk()).isTrue();
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void callsOnALostConnectionAreUnavailableAndLaterOnesUseANewOne() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
            if (calls.getAndIncrement() == 0) {
                var _ = with.context().close();
            } else {
                with.headers(stream);
                with.trailers(stream, 0, "");
            }
        })) {
            assertThat(asked(server).status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(asked(server).status().isOk()).isTrue();
        }
    }

    @Test
    void aServerThatIsNotThereIsUnavailable() throws Exception {
        try (ClosedPort closed = new ClosedPort()) {
            channel.shutdownNow();
            channel = channel(closed.number());
            HeardCall heard = new HeardCall();
            channel.newCall(ByteMessages.METHOD, CallOptions.DEFAULT).start(heard, new Metadata());
            assertThat(heard.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(heard.status().getCause()).isNotNull();
        }
    }

    @Test
    void aPeerThatTakesConnectionsAndSaysNothingMeetsTheDeadline() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            channel.shutdownNow();
            channel = channel(silent.getLocalPort());
            HeardCall heard = new HeardCall();
            channel.newCall(ByteMessages.METHOD, CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS))
                    .start(heard, new Metadata());
            assertThat(heard.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        }
    }

    @Test
    void aCallBeyondWhatTheServerTakesAtATimeWaitsForItsTurn() throws Exception {
        AtomicInteger most = new AtomicInteger();
        try (RawServer server = oneAtATime(most)) {
            HeardCall first = asked(server);
            HeardCall second = asked(server);
            HeardCall third = asked(server);
            assertThat(first.status().isOk()).isTrue();
            assertThat(second.status().isOk()).isTrue();
            assertThat(third.status().isOk()).isTrue();
            assertThat(most).hasValue(1);
        }
    }

    /** One that says it takes one call at a time, takes its time for each, and counts how many there are. */
    private static RawServer oneAtATime(AtomicInteger most) {
        AtomicInteger open = new AtomicInteger();
        return new RawServer(new Http2Settings().maxConcurrentStreams(1), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                most.accumulateAndGet(open.incrementAndGet(), Math::max);
                with.headers(request.stream());
                var _ = with.context()
                        .executor()
                        .schedule(
                                () -> {
                                    open.decrementAndGet();
                                    with.trailers(request.stream(), 0, "");
                                },
                                50,
                                TimeUnit.MILLISECONDS);
            }
        });
    }

    @Test
    void aCallGivenUpWhileItWaitsForItsTurnKeepsNoOtherFromIt() throws Exception {
        try (RawServer server = new RawServer(new Http2Settings().maxConcurrentStreams(1), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                with.headers(request.stream());
            } else if (frame instanceof Http2DataFrame data && data.isEndStream()) {
                with.trailers(data.stream(), 0, "");
            }
        })) {
            ContractCall first = call(server, CallOptions.DEFAULT, new Metadata());
            first.call().request(1);
            await().until(() -> !server.heard(Http2HeadersFrame.class).isEmpty());
            ContractCall hurried =
                    call(server, CallOptions.DEFAULT.withDeadlineAfter(100, TimeUnit.MILLISECONDS), new Metadata());
            assertThat(hurried.heard().status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            HeardCall last = asked(server);
            first.call().halfClose();
            assertThat(first.heard().status().isOk()).isTrue();
            assertThat(last.status().isOk()).isTrue();
            assertThat(server.heard(Http2HeadersFrame.class)).hasSize(2);
        }
    }

    /** One that answers each request wholly and at once, with a message of so many bytes. */
    private static RawServer answering(Http2Settings settings, int bytes) {
        return new RawServer(settings, (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                with.headers(request.stream());
                with.message(request.stream(), new byte[bytes]);
                with.trailers(request.stream(), 0, "");
            }
        });
    }

    /** A call whose reader takes its time. */
    private ContractCall unread(RawServer server) {
        ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
        call.call().halfClose();
        return call;
    }

    private static void assertRead(ContractCall call) throws Exception {
        call.call().request(2);
        assertThat(call.heard().status().isOk()).isTrue();
        assertThat(call.heard().messages()).hasSize(1);
    }

    @Test
    void aCallThatIsAnsweredAndNotReadKeepsNoOtherFromItsTurn() throws Exception {
        try (RawServer server = answering(new Http2Settings().maxConcurrentStreams(1), 100)) {
            ContractCall unread = unread(server);
            assertThat(asked(server).status().isOk()).isTrue();
            assertThat(unread.heard().isOver()).isFalse();
            assertRead(unread);
        }
    }

    @Test
    void anAnswerThatIsNotReadLeavesRoomForOthers() throws Exception {
        try (RawServer server = answering(new Http2Settings(), 9 * WINDOW_BYTES / 10)) {
            ContractCall unread = unread(server);
            assertThat(asked(server).status().isOk()).isTrue();
            assertRead(unread);
        }
    }

    @Test
    void aStreamThatPausesKeepsNoOtherWaiting() throws Exception {
        byte[] message = new byte[100_000];
        int messages = 3 * WINDOW_BYTES / message.length;
        AtomicInteger requests = new AtomicInteger();
        AtomicLong sent = new AtomicLong();
        try (RawServer server = RawServer.answering((with, stream) -> {
            with.headers(stream);
            boolean endless = requests.getAndIncrement() == 0;
            for (int i = 0; endless && i < messages; i++) {
                with.context()
                        .write(new DefaultHttp2DataFrame(RawServer.framed(message)).stream(stream))
                        .addListener(written -> sent.addAndGet(message.length));
            }
            if (!endless) {
                with.message(stream, message);
                with.trailers(stream, 0, "");
            }
        })) {
            ContractCall paused = call(server, CallOptions.DEFAULT, new Metadata());
            paused.call().request(1);
            await("its window is nearly full").until(() -> sent.get() > 8 * WINDOW_BYTES / 10);

            for (int i = 0; i < 20; i++) {
                assertThat(asked(server).status().isOk()).isTrue();
            }

            assertThat(paused.heard().messages()).hasSize(1);
        }
    }

    @Test
    void anAnswerThatIsNotReadOutlivesItsConnection() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (RawServer server = RawServer.answering((with, stream) -> {
            if (calls.getAndIncrement() == 0) {
                with.headers(stream);
                with.message(stream, new byte[100]);
                with.trailers(stream, 0, "");
            } else {
                var _ = with.context().close();
            }
        })) {
            ContractCall unread = unread(server);
            assertThat(asked(server).status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertRead(unread);
        }
    }

    @Test
    void aServerThatIsDoneAndNotReadIsSentNothingMore() throws Exception {
        try (RawServer server = answering(new Http2Settings(), 100)) {
            ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
            call.call().sendMessage(new byte[3_000_000]);
            await().until(() -> server.heard(Http2ResetFrame.class).size() == 1);
            assertRead(call);
        }
    }

    @Test
    void aChannelThatIsShutDownBeforeItsServerHasSpokenLetsCallsGoOn() throws Exception {
        try (RawServer server = answering(new Http2Settings(), 100);
                ServerSocket front = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            channel.shutdownNow();
            channel = channel(front.getLocalPort());
            HeardCall begun = new HeardCall();
            ClientCall<byte[], byte[]> call = channel.newCall(ByteMessages.METHOD, CallOptions.DEFAULT);
            call.start(begun, new Metadata());
            call.request(2);
            call.halfClose();
            try (Socket client = front.accept();
                    Socket behind = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                int first = client.getInputStream().read(); // its preface: it waits for the server's
                channel.shutdown();
                behind.getOutputStream().write(first);
                join(client, behind);
                join(behind, client);
                assertThat(begun.status().isOk()).isTrue();
                assertThat(begun.messages()).hasSize(1);
                assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static void join(Socket from, Socket to) {
        Thread.startVirtualThread(() -> {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // The other direction closed both.
            }
        });
    }

    @Test
    void aChannelThatIsShutDownLetsCallsHaveTheirTurn() throws Exception {
        try (RawServer server = new RawServer(new Http2Settings().maxConcurrentStreams(1), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                with.headers(request.stream());
            } else if (frame instanceof Http2DataFrame data && data.isEndStream()) {
                with.trailers(data.stream(), 0, "");
            }
        })) {
            ContractCall first = call(server, CallOptions.DEFAULT, new Metadata());
            first.call().request(1);
            await().until(() -> !server.heard(Http2HeadersFrame.class).isEmpty());
            HeardCall second = asked(server);
            channel.shutdown();
            first.call().halfClose();
            assertThat(first.heard().status().isOk()).isTrue();
            assertThat(second.status().isOk()).isTrue();
            assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void callsWhoseCredentialsTakeTheirTimeAreNoMoreThanTheServerTakes() throws Exception {
        AtomicInteger most = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(1);
        CallCredentials slow = new CallCredentials() {
            @Override
            public void applyRequestMetadata(RequestInfo about, Executor executor, MetadataApplier applier) {
                Thread.startVirtualThread(() -> {
                    awaitUninterruptibly(all);
                    applier.apply(new Metadata());
                });
            }
        };
        try (RawServer server = oneAtATime(most)) {
            assertThat(asked(server).status().isOk())
                    .as("so that the limit is known")
                    .isTrue();
            List<ContractCall> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                calls.add(call(server, CallOptions.DEFAULT.withCallCredentials(slow), new Metadata()));
                calls.getLast().call().request(1);
                calls.getLast().call().halfClose();
            }
            all.countDown();
            for (ContractCall call : calls) {
                assertThat(call.heard().status().isOk()).isTrue();
            }
            assertThat(most).hasValue(1);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aChannelThatIsShutDownLetsCallsEndAndTakesNoMore() throws Exception {
        try (RawServer server = new RawServer(new Http2Settings(), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                with.headers(request.stream());
            } else if (frame instanceof Http2DataFrame data && data.isEndStream()) {
                with.trailers(data.stream(), 0, "");
            }
        })) {
            ContractCall call = call(server, CallOptions.DEFAULT, new Metadata());
            call.call().request(1);
            await().until(() -> !server.heard(Http2HeadersFrame.class).isEmpty());
            channel.shutdown();
            HeardCall refused = new HeardCall();
            channel.newCall(ByteMessages.METHOD, CallOptions.DEFAULT).start(refused, new Metadata());
            assertThat(refused.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            call.call().halfClose();
            assertThat(call.heard().status().isOk()).isTrue();
            assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
