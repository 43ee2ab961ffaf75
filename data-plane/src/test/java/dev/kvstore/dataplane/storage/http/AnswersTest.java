package dev.kvstore.dataplane.storage.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import dev.kvstore.dataplane.storage.azure.UnsendableRequestException;
import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** An answer as its reader sees it. */
@Tag("slow")
final class AnswersTest extends ClientFixture {
    private static final Duration SHORT = Duration.ofMillis(100);

    @Test
    void aSlowReaderStopsTheServer() throws Exception {
        int piece = 1 << 20;
        int pieces = 64;
        AtomicLong sent = new AtomicLong();
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.socket().setSendBufferSize(64 << 10);
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: " + (long) piece * pieces + "\r\n\r\n");
            for (int i = 0; i < pieces; i++) {
                talk.send(new byte[piece]);
                sent.addAndGet(piece);
            }
        })) {
            AtomicLong received = new AtomicLong();
            CompletableFuture<Void> end = new CompletableFuture<>();
            BaseSubscriber<ByteBuffer> reader = new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
                    request(1);
                }

                @Override
                protected void hookOnNext(ByteBuffer bytes) {
                    received.addAndGet(bytes.remaining());
                }

                @Override
                protected void hookOnComplete() {
                    end.complete(null);
                }

                @Override
                protected void hookOnError(Throwable failure) {
                    end.completeExceptionally(failure);
                }
            };
            answer(get(server), true).getBody().subscribe(reader);

            await("the first bytes").until(() -> received.get() > 0);
            // Meanwhile the client has the time to read everything, if it were to.
            try (TestServer other = new TestServer(talk -> talk.answerAll(OK))) {
                for (int i = 0; i < 10 * pieces; i++) {
                    assertThat(text(get(other)).block()).isEqualTo("ok");
                }
            }
            // The bytes that fit into the buffers of both sockets, and the bytes of one read.
            assertThat(sent.get()).isLessThan(16L * piece);
            assertThat(received.get()).isLessThan(2L * piece);

            reader.requestUnbounded();
            end.join();
            assertThat(received.get()).isEqualTo((long) piece * pieces);
        }
    }

    @Test
    void aBodyThatEndsEarlyFails() throws Exception {
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n12345");
        })) {
            assertThatThrownBy(() -> text(get(server)).block())
                    .hasMessageContaining(
                            "127.0.0.1:" + server.port() + " closed the connection in the middle of an answer");
            assertThat(connections("active")).isZero();
        }
    }

    @Test
    void aConnectionThatBreaksInABodyFailsIt() throws Exception {
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n12345");
            talk.reset();
        })) {
            assertThatThrownBy(() -> text(get(server)).block()).hasRootCauseInstanceOf(java.io.IOException.class);
            assertThat(connections("active")).isZero();
        }
    }

    @Test
    void aConnectionThatEndsWithoutAnAnswerFails() throws Exception {
        try (TestServer server = new TestServer(TestServer.Talk::head)) {
            assertThatThrownBy(() -> text(get(server)).block())
                    .hasMessageContaining("closed the connection without an answer");
        }
    }

    @Test
    void whatIsNoHttpFails() throws Exception {
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.send("SSH-2.0-whatever\r\n\r\n");
        })) {
            assertThatThrownBy(() -> text(get(server)).block()).hasMessageContaining("answered what is no HTTP");
        }
    }

    @Test
    void aRequestThatIsNoHttpFailsAtOnceAndShowsNoCredential() throws Exception {
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            String host = "http://127.0.0.1:" + server.port();
            for (HttpRequest request : List.of(
                    new HttpRequest(HttpMethod.GET, host + "/blob?sig=s3 cret"),
                    new HttpRequest(HttpMethod.GET, host + "/blob")
                            .setHeader(HttpHeaderName.AUTHORIZATION, "s3\r\ncret"),
                    new HttpRequest(HttpMethod.GET, "ftp://127.0.0.1/blob?sig=s3cret"))) {
                assertThatThrownBy(() -> text(request).block())
                        .isExactlyInstanceOf(UnsendableRequestException.class)
                        .hasMessage("the URL or a header of a request to \"127.0.0.1\" is none of HTTP")
                        .hasNoCause();
            }
            assertThat(server.talks()).isEmpty();
        }
    }

    @Test
    void anAnswerThatDoesNotComeIsNotWaitedForForever() throws Exception {
        client = client(times(SHORT, OPTIONS.silence(), OPTIONS.idle()));
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.head();
        })) {
            assertThatThrownBy(() -> text(get(server)).block()).hasMessageContaining("did not answer within PT0.1S");
            assertThat(connections("active")).isZero();
        }
    }

    @Test
    void aBodyThatStopsIsNotWaitedForForever() throws Exception {
        client = client(times(OPTIONS.answerTimeout(), SHORT, OPTIONS.idle()));
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n12345");
            talk.head();
        })) {
            assertThatThrownBy(() -> text(get(server)).block()).hasMessageContaining("sent nothing for PT0.1S");
            assertThat(connections("active")).isZero();
        }
    }

    @Test
    void anAnswerThatNobodyReadsDoesNotKeepItsConnection() throws Exception {
        client = client(times(SHORT, OPTIONS.silence(), OPTIONS.idle()));
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            HttpResponse answer = answer(get(server), true);

            await().untilAsserted(() -> assertThat(connections("active")).isZero());
            assertThatThrownBy(() -> answer.getBody().blockLast()).hasMessageContaining("nobody read the answer");
        }
    }

    @Test
    void aClosedAnswerGivesItsConnectionBack() throws Exception {
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            answer(get(server), true).close();

            await().untilAsserted(() -> assertThat(connections("active")).isZero());
        }
    }

    @Test
    void aReaderWhoLeavesGivesTheConnectionBack() throws Exception {
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n12345");
            talk.head();
        })) {
            ByteBuffer first =
                    requireNonNull(answer(get(server), false).getBody().next().block());

            assertThat(first.remaining()).isEqualTo(5);
            await().untilAsserted(() -> assertThat(connections("active")).isZero());
        }
    }

    @Test
    void aCallThatIsGivenUpGivesItsConnectionBack() throws Exception {
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.head();
        })) {
            assertThatThrownBy(() -> text(get(server)).timeout(SHORT).block())
                    .hasCauseInstanceOf(java.util.concurrent.TimeoutException.class);
            await().untilAsserted(() -> assertThat(connections("active")).isZero());
        }
    }

    @Test
    void anAnswerOfAClosedClientFailsAndCanBeClosed() throws Exception {
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            HttpResponse answer = answer(get(server), true);
            client.close();
            assertThat(client.ended()).succeedsWithin(Patience.LIMIT);

            assertThatThrownBy(() -> answer.getBody().blockLast())
                    .hasRootCauseInstanceOf(IOException.class)
                    .hasMessageContaining("the client is closed");
            answer.close();
        }
    }

    @Test
    void aLateReaderStillGetsWhatAServerSaidBeforeItLeft() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n");
            talk.send(new byte[100_000]);
            talk.socket().close();
            left.countDown();
        })) {
            HttpResponse answer = answer(get(server), true);
            left.await();

            assertThat(requireNonNull(answer.getBodyAsByteArray().block())).hasSize(100_000);
        }
    }

    @Test
    void piecesAreNetworkMemoryForWhoeverTakesThemAtOnce() throws Exception {
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            List<Boolean> direct = requireNonNull(answer(get(server), true)
                    .getBody()
                    .map(ByteBuffer::isDirect)
                    .collectList()
                    .block());
            assertThat(direct).containsOnly(true);

            ByteBuffer kept =
                    requireNonNull(answer(get(server), false).getBody().next().block());
            assertThat(kept.isDirect()).isFalse();
            assertThat(kept).isEqualTo(ByteBuffer.wrap(new byte[] {'o', 'k'}));
        }
    }

    @Test
    void theSdkIsNotRunInTheEventLoop() throws Exception {
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            Mono<Boolean> virtual = http().send(get(server))
                    .flatMap(answer -> Mono.just(Thread.currentThread().isVirtual())
                            .flatMap(is -> answer.getBodyAsByteArray().thenReturn(is)));

            assertThat(virtual.block()).isTrue();
        }
    }
}
