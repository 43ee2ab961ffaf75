package dev.kvstore.dataplane.storage.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.netty.handler.ssl.SslProvider;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many requests at once for hosts that the client has no connection to. */
@Tag("slow")
final class ConnectionStormTest extends ClientFixture {
    private static final int STORM = 100;

    @TempDir
    private static Path folder;

    private static TestKeys keys;

    @BeforeAll
    static void makeKeys() throws Exception {
        keys = TestKeys.make(folder);
    }

    @Test
    void aHostThatIsMetForTheFirstTimeGetsTwoConnectionsAtATime() throws Exception {
        trust(keys.authorities());
        CountDownLatch gate = new CountDownLatch(1);
        try (TestServer cold = new TestServer(keys.listen("TLSv1.3"), talk -> {
                    gate.await();
                    talk.answerAll(OK);
                });
                TestServer warm = new TestServer(talk -> talk.answerAll(OK))) {
            List<CompletableFuture<String>> storm = storm(cold);
            // Event loops run tasks in order: once these answers are here, the tasks of the storm before have run.
            for (int i = 0; i < 10; i++) {
                assertThat(text(get(warm)).block()).isEqualTo("ok");
            }

            assertThat(meters.get("kvstore.storage.connection.attempts")
                            .tags("service", "localhost", "outcome", "opened")
                            .counter()
                            .count())
                    .isEqualTo(ConnectionPool.FIRST);
            gate.countDown();
            assertThat(storm).allSatisfy(each -> assertThat(each.join()).isEqualTo("ok"));
        }
    }

    @Test
    void aHostThatIsAwayIsNotTriedForEachRequest() throws Exception {
        trust(keys.authorities());
        CountDownLatch gate = new CountDownLatch(1);
        try (TestServer away = new TestServer(talk -> gate.await())) {
            List<CompletableFuture<String>> storm = storm(away);
            await().untilAsserted(() -> assertThat(pendingRequests()).isEqualTo(STORM));
            gate.countDown();

            assertThat(storm)
                    .allSatisfy(each -> assertThatThrownBy(each::join)
                            .hasMessageContaining("no connection to localhost:" + away.port()));
            assertThat(away.talks()).hasSizeLessThanOrEqualTo(10);
        }
    }

    @Test
    void allHostsTogetherHaveALimitedNumberOfConnections() throws Exception {
        client.close();
        client = client(all(10));
        List<TestServer> hosts = new ArrayList<>();
        try {
            for (int i = 0; i < 30; i++) {
                TestServer host = new TestServer(talk -> talk.answerAll(OK));
                hosts.add(host);

                assertThat(text(get(host)).block()).isEqualTo("ok");

                assertThat(connections("idle") + connections("active")).isLessThanOrEqualTo(10);
            }
            // The host that was asked last has its connection still.
            assertThat(text(get(hosts.getLast())).block()).isEqualTo("ok");
            assertThat(hosts.getLast().talks()).hasSize(1);
        } finally {
            for (TestServer host : hosts) {
                host.close();
            }
        }
    }

    @Test
    void aHostThatHasAllConnectionsGivesAnotherItsShare() throws Exception {
        client.close();
        client = client(all(10));
        AtomicBoolean over = new AtomicBoolean();
        try (TestServer greedy = new TestServer(talk -> talk.answerAll(OK));
                TestServer modest = new TestServer(talk -> talk.answerAll(OK))) {
            List<CompletableFuture<Void>> busy = IntStream.range(0, 50)
                    .mapToObj(_ -> {
                        CompletableFuture<Void> ended = new CompletableFuture<>();
                        Thread.startVirtualThread(() -> {
                            while (!over.get()) {
                                text(get(greedy)).block();
                            }
                            ended.complete(null);
                        });
                        return ended;
                    })
                    .toList();
            await().untilAsserted(() -> assertThat(connections("active")).isEqualTo(10));

            assertThat(text(get(modest)).block()).isEqualTo("ok");

            over.set(true);
            busy.forEach(CompletableFuture::join);
        }
    }

    /** In an event loop, each look at a certificate would delay the calls of all accounts. */
    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL_REFCNT"})
    void noEventLoopWaitsForALookAtACertificate(SslProvider provider) throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        client.close();
        client = new NettyHttpClient(
                OPTIONS,
                AddressCache.ofSystem(OPTIONS.dnsTtl()),
                Tls.checking(provider, new SlowTrust(looking, gate)),
                meters);
        int loops = Runtime.getRuntime().availableProcessors();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        try (TestServer cold = new TestServer(keys.listen("TLSv1.3"), talk -> talk.answerAll(OK));
                TestServer warm = new TestServer(talk -> talk.answerAll(OK))) {
            for (int i = 0; i < 2 * loops; i++) {
                answers.add(text(secure(cold)).toFuture());
            }
            looking.await();

            for (int i = 0; i < 2 * loops; i++) {
                assertThat(text(get(warm)).block()).isEqualTo("ok");
            }

            gate.countDown();
            assertThat(answers).allSatisfy(each -> assertThat(each.join()).isEqualTo("ok"));
        }
    }

    private List<CompletableFuture<String>> storm(TestServer host) {
        return IntStream.range(0, STORM)
                .mapToObj(_ -> text(secure(host)).toFuture())
                .toList();
    }

    private static HttpRequest secure(TestServer host) {
        return new HttpRequest(HttpMethod.GET, "https://localhost:" + host.port() + "/blob");
    }

    private void trust(java.security.KeyStore authorities) {
        client.close();
        client = new NettyHttpClient(
                OPTIONS,
                AddressCache.ofSystem(OPTIONS.dnsTtl()),
                new Tls(SslProvider.OPENSSL_REFCNT, authorities),
                meters);
    }

    /** Trusts every server, once it is told to. */
    private static final class SlowTrust extends X509ExtendedTrustManager {
        private final CountDownLatch looking;
        private final CountDownLatch gate;

        SlowTrust(CountDownLatch looking, CountDownLatch gate) {
            this.looking = looking;
            this.gate = gate;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            looking.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new CertificateException(e);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            throw new UnsupportedOperationException("the client has engines alone");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException("the client has engines alone");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            throw new UnsupportedOperationException("this is a client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
            throw new UnsupportedOperationException("this is a client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException("this is a client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
