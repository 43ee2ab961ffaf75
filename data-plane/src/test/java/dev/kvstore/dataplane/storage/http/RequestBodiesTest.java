package dev.kvstore.dataplane.storage.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.dataplane.storage.azure.AzureHttp;
import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** The memory that a request is sent from, until it is given back. */
@Tag("slow")
final class RequestBodiesTest extends ClientFixture {
    private static final int PIECE = 256 << 10;
    private static final int LENGTH = 64 * PIECE;
    private static final int CALLERS = 8;
    private static final int CALLS = 100;

    private final ByteBuffer content = StoredContents.random(1, LENGTH);
    private final Lease lease = new Lease();

    @Test
    void arriveWhole() throws Exception {
        CompletableFuture<byte[]> arrived = new CompletableFuture<>();
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            arrived.complete(talk.socket().getInputStream().readNBytes(LENGTH));
            talk.send(CREATED);
        })) {
            HttpResponse answer = requireNonNull(send(put(server)).block());

            assertThat(answer.getStatusCode()).isEqualTo(201);
            assertThat(ByteBuffer.wrap(arrived.join())).isEqualTo(content);
        }
    }

    @Test
    void areNotReadAnyMoreOnceTheyAreAskedBack() throws Exception {
        CountDownLatch givenUp = new CountDownLatch(1);
        CompletableFuture<byte[]> arrived = new CompletableFuture<>();
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            givenUp.await();
            arrived.complete(talk.socket().getInputStream().readAllBytes());
        })) {
            Disposable call = http().send(put(server), new Context(AzureHttp.LEASE, lease))
                    .subscribe();
            await().untilAsserted(() -> assertThat(connections("active")).isEqualTo(1));

            call.dispose();
            lease.close();
            content.put(0, new byte[LENGTH]);
            givenUp.countDown();

            byte[] sent = arrived.join();
            assertThat(sent.length).isLessThan(LENGTH);
            assertThat(ByteBuffer.wrap(sent))
                    .isEqualTo(StoredContents.random(1, LENGTH).slice(0, sent.length));
            await().untilAsserted(() -> assertThat(connections("active")).isZero());
        }
    }

    @Test
    void areNotSentOnceTheyHaveBeenAskedBack() throws Exception {
        lease.close();
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            assertThatThrownBy(() -> send(put(server)).block()).hasMessageContaining("given up before it was sent");
            assertThat(connections("idle"))
                    .as("the connection is as good as new")
                    .isEqualTo(1);
        }
    }

    @Test
    void areCopiedWithoutALease() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.socket().getInputStream().readNBytes(PIECE);
            talk.send(CREATED);
            read.countDown();
        })) {
            ByteBuffer piece = StoredContents.random(1, PIECE);
            HttpRequest request = put(server, Flux.just(piece), PIECE);

            assertThat(requireNonNull(http().send(request).block()).getStatusCode())
                    .isEqualTo(201);
            read.await();
        }
    }

    @Test
    void failWithTheirConnection() throws Exception {
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.socket().getInputStream().readNBytes(PIECE);
            talk.reset();
        })) {
            assertThatThrownBy(() -> send(put(server)).block()).hasRootCauseInstanceOf(java.io.IOException.class);
            lease.close();
            assertThat(connections("active")).isZero();
        }
    }

    @Test
    void areNotWaitedForForever() throws Exception {
        client = client(times(OPTIONS.answerTimeout(), Duration.ofMillis(100), OPTIONS.idle()));
        CountDownLatch end = new CountDownLatch(1);
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            end.await();
        })) {
            assertThatThrownBy(() -> send(put(server)).block()).hasMessageContaining("took nothing for PT0.1S");
            lease.close();
            assertThat(connections("active")).isZero();
        } finally {
            end.countDown();
        }
    }

    @Test
    void needNotBeSentToTheirEndForAnAnswer() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.send("HTTP/1.1 409 Conflict\r\nContent-Length: 0\r\n\r\n");
            end.await();
        })) {
            assertThat(requireNonNull(send(put(server)).block()).getStatusCode())
                    .isEqualTo(409);
            lease.close();
            assertThat(connections("active")).isZero();
        } finally {
            end.countDown();
        }
    }

    @Test
    void areGivenBackByAConnectionThatEndsAsItIsHandedOut() throws Exception {
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.socket().getInputStream().readNBytes(PIECE);
            talk.send(CREATED);
            // The client takes it for a good connection until it hears of its end.
            talk.reset();
        })) {
            AtomicInteger answered = new AtomicInteger();
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> calls = IntStream.range(0, CALLERS)
                        .<Future<?>>mapToObj(_ -> callers.submit(() -> sendOften(server, answered)))
                        .toList();
                for (Future<?> call : calls) {
                    call.get();
                }
            }
            assertThat(answered.get()).isPositive();
            await().untilAsserted(() -> assertThat(connections("active")).isZero());
        }
    }

    private void sendOften(TestServer server, AtomicInteger answered) {
        for (int i = 0; i < CALLS; i++) {
            Lease ofCall = new Lease();
            HttpRequest request = put(server, Flux.just(content.slice(0, PIECE)), PIECE);
            try {
                HttpResponse answer = http().send(request, new Context(AzureHttp.LEASE, ofCall))
                        .block(Patience.LIMIT);
                answered.addAndGet(answer == null ? 0 : 1);
            } catch (RuntimeException e) {
                assertThat(e.getCause()).isInstanceOf(IOException.class);
            }
            ofCall.close();
        }
    }

    private reactor.core.publisher.Mono<HttpResponse> send(HttpRequest request) {
        return http().send(request, new Context(AzureHttp.LEASE, lease));
    }

    private HttpRequest put(TestServer server) {
        Flux<ByteBuffer> pieces = Flux.range(0, LENGTH / PIECE).map(i -> content.slice(i * PIECE, PIECE));
        return put(server, pieces, LENGTH);
    }
}
