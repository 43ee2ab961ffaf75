package dev.kvstore.dataplane.storage.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import dev.kvstore.testing.ClosedPort;
import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

@Tag("slow")
final class ConnectionPoolTest extends ClientFixture {
    @Test
    void aConnectionIsUsedAgain() throws Exception {
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            assertThat(text(get(server)).block()).isEqualTo("ok");
            assertThat(text(get(server)).block()).isEqualTo("ok");

            assertThat(server.talks()).hasSize(1);
            assertThat(connections("idle")).isEqualTo(1);
            assertThat(connections("active")).isZero();
        }
    }

    @Test
    void aHostThatNobodyAsksIsForgottenWithItsConnections() throws Exception {
        AtomicLong clock = new AtomicLong();
        client.close();
        client = new NettyHttpClient(
                OPTIONS, AddressCache.ofSystem(OPTIONS.dnsTtl()), Tls.trusting(null), meters, clock::get);
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            assertThat(text(get(server)).block()).isEqualTo("ok");
            assertThat(client.hosts()).isEqualTo(1);

            clock.addAndGet(NettyHttpClient.IDLE.toNanos());

            assertThat(client.hosts()).isZero();
            await().untilAsserted(() -> assertThat(connections("idle")).isZero());
            assertThat(text(get(server)).block()).isEqualTo("ok");
        }
    }

    @Test
    void aBusyConnectionIsGivenUpOnceTheNameHasAnotherAddress() throws Exception {
        AtomicReference<String> address = new AtomicReference<>("127.0.0.1");
        AtomicLong clock = new AtomicLong();
        client.close();
        AddressCache names = new AddressCache(
                OPTIONS.dnsTtl(),
                _ -> new InetAddress[] {InetAddress.ofLiteral(address.get())},
                clock::get,
                Runnable::run);
        client = new NettyHttpClient(OPTIONS, names, Tls.trusting(null), meters);
        try (TestServer before = new TestServer(talk -> talk.answerAll(OK));
                TestServer after = new TestServer(listening("127.0.0.2", before.port()), talk -> talk.answerAll(OK))) {
            HttpRequest request = new HttpRequest(HttpMethod.GET, "http://account.test:" + before.port() + "/blob");
            assertThat(text(request).block()).isEqualTo("ok");

            address.set("127.0.0.2");
            clock.addAndGet(OPTIONS.dnsTtl().toNanos() + 1);

            await().untilAsserted(() -> {
                assertThat(text(request).block()).isEqualTo("ok");
                assertThat(after.talks()).hasSize(1);
            });
            assertThat(before.talks()).hasSize(1);
        }
    }

    private static ServerSocket listening(String address, int port) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.ofLiteral(address), port));
        return listener;
    }

    @Test
    void theHundredAndFirstRequestWaitsForOneOfAHundredConnections() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            answer.await();
            talk.send(OK);
            talk.answerAll(OK);
        })) {
            List<CompletableFuture<String>> answers = IntStream.range(0, 101)
                    .mapToObj(_ -> text(get(server)).toFuture())
                    .toList();
            await().untilAsserted(() -> assertThat(connections("active")).isEqualTo(100));
            assertThat(pendingRequests()).isEqualTo(1);

            answer.countDown();

            assertThat(answers).allSatisfy(each -> assertThat(each.join()).isEqualTo("ok"));
            assertThat(server.talks()).hasSize(100);
            assertThat(pendingRequests()).isZero();
        }
    }

    @Test
    void asManyRequestsWaitAsAreAsked() throws Exception {
        client = client(connections(10, Patience.LIMIT));
        CountDownLatch answer = new CountDownLatch(1);
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            answer.await();
            talk.send(OK);
            talk.answerAll(OK);
        })) {
            List<CompletableFuture<String>> answers = IntStream.range(0, 1_000)
                    .mapToObj(_ -> text(get(server)).toFuture())
                    .toList();
            await().untilAsserted(() -> assertThat(pendingRequests()).isEqualTo(990));

            answer.countDown();

            assertThat(answers).allSatisfy(each -> assertThat(each.join()).isEqualTo("ok"));
        }
    }

    @Test
    void aRequestThatWaitsTooLongIsToldWhy() throws Exception {
        client = client(connections(1, Duration.ofMillis(50)));
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.head();
        })) {
            Disposable first = http().send(get(server)).subscribe();
            await().untilAsserted(() -> assertThat(connections("active")).isEqualTo(1));

            assertThatThrownBy(() -> text(get(server)).block())
                    .hasRootCauseInstanceOf(java.util.concurrent.TimeoutException.class)
                    .hasMessageContaining("no connection to 127.0.0.1:" + server.port()
                            + " was free within PT0.05S: all 1 are in use");
            first.dispose();
        }
    }

    @Test
    void aConnectionThatTheServerClosedIsNotHandedOut() throws Exception {
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.send(OK);
        })) {
            assertThat(text(get(server)).block()).isEqualTo("ok");
            await().untilAsserted(() -> assertThat(connections("idle")).isZero());

            assertThat(text(get(server)).block()).isEqualTo("ok");
            assertThat(server.talks()).hasSize(2);
        }
    }

    @Test
    void aConnectionOnWhichTheServerSaysWhatNobodyAskedIsClosed() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            talk.send(OK);
            answered.await();
            talk.send(OK);
            talk.head();
        })) {
            assertThat(text(get(server)).block()).isEqualTo("ok");
            answered.countDown();

            await().untilAsserted(() -> assertThat(connections("idle")).isZero());
        }
    }

    @Test
    void anAnswerThatEndsTheConnectionIsTheLastOnIt() throws Exception {
        try (TestServer server = new TestServer(
                talk -> talk.answerAll("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"))) {
            text(get(server)).block();
            text(get(server)).block();

            assertThat(server.talks()).hasSize(2);
        }
    }

    @Test
    void anUnusedConnectionIsClosed() throws Exception {
        client = client(times(OPTIONS.answerTimeout(), OPTIONS.silence(), Duration.ofMillis(50)));
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            text(get(server)).block();

            await().untilAsserted(() -> assertThat(connections("idle")).isZero());
        }
    }

    @Test
    void connectionsLeaveFromEachLocalAddressInTurn() throws Exception {
        List<InetAddress> locals = Stream.of("127.0.0.1", "127.0.0.2", "127.0.0.3")
                .map(InetAddress::ofLiteral)
                .toList();
        client = client(from(locals));
        CountDownLatch answer = new CountDownLatch(1);
        try (TestServer server = new TestServer(talk -> {
            talk.head();
            answer.await();
            talk.send(OK);
        })) {
            List<CompletableFuture<String>> answers = IntStream.range(0, 6)
                    .mapToObj(_ -> text(get(server)).toFuture())
                    .toList();
            await().untilAsserted(() -> assertThat(server.talks()).hasSize(6));
            answer.countDown();
            answers.forEach(CompletableFuture::join);

            assertThat(server.talks().stream()
                            .collect(Collectors.groupingBy(TestServer.Talk::peer, Collectors.counting())))
                    .containsOnlyKeys(locals)
                    .allSatisfy((_, times) -> assertThat(times).isEqualTo(2));
        }
    }

    @Test
    void withoutLocalAddressesTheSystemChooses() throws Exception {
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK))) {
            text(get(server)).block();

            assertThat(server.talks())
                    .extracting(TestServer.Talk::peer)
                    .containsExactly(InetAddress.ofLiteral("127.0.0.1"));
        }
    }

    @Test
    void whoCannotBeReachedIsNamed() throws Exception {
        try (ClosedPort closed = new ClosedPort()) {
            HttpRequest request = new HttpRequest(HttpMethod.GET, "http://127.0.0.1:" + closed.number() + "/blob");

            assertThatThrownBy(() -> text(request).block())
                    .hasMessageContaining("no connection to 127.0.0.1:" + closed.number())
                    .hasMessageContaining("refused");
        }
        assertThat(counted("kvstore.storage.connection.attempts", "outcome", "failed"))
                .isEqualTo(1);
    }

    @Test
    void aProxyThatRefusesIsNamedWithItsAnswer() throws Exception {
        try (TestServer server = new TestServer(talk -> talk.answerAll(OK));
                RelayingProxy proxy = new RelayingProxy(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
                        "407 Proxy Authentication Required\r\nContent-Length: 0")) {
            client = client(through(HttpProxy.of("127.0.0.1:" + proxy.port())));
            HttpRequest request = new HttpRequest(HttpMethod.GET, "http://account.invalid/blob");

            assertThatThrownBy(() -> text(request).block())
                    .hasMessageContaining("account.invalid")
                    .hasMessageContaining("127.0.0.1:" + proxy.port())
                    .hasMessageContaining("407");
        }
    }

    @Test
    void aNameThatNobodyKnowsIsNamed() {
        HttpRequest request = new HttpRequest(HttpMethod.GET, "http://no.such.host.invalid/");

        assertThatThrownBy(() -> text(request).block())
                .hasMessageContaining("the name no.such.host.invalid is not known");
    }
}
