package dev.kvstore.dataplane.storage.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.dataplane.storage.azure.AzureHttp;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

@Tag("slow")
final class AzureTlsTest extends ClientFixture {
    private static final String LAST_OK = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";

    @TempDir
    private static Path folder;

    private static TestKeys keys;

    @BeforeAll
    static void makeKeys() throws Exception {
        keys = TestKeys.make(folder);
    }

    @Test
    void thisBuildHasBoringSsl() {
        assertThat(OpenSsl.isAvailable())
                .as(() -> String.valueOf(OpenSsl.unavailabilityCause()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"JDK, TLSv1.2", "JDK, TLSv1.3", "OPENSSL_REFCNT, TLSv1.2", "OPENSSL_REFCNT, TLSv1.3"})
    void theNextConnectionTakesUpTheSessionAgain(SslProvider provider, String protocol) throws Exception {
        trust(provider);
        Set<Long> sessions = ConcurrentHashMap.newKeySet();
        try (TestServer server = new TestServer(keys.listen(protocol), talk -> {
            talk.head();
            sessions.add(((SSLSocket) talk.socket()).getSession().getCreationTime());
            talk.send(LAST_OK);
            talk.head();
        })) {
            for (int i = 0; i < 4; i++) {
                assertThat(text(get("localhost", server)).block()).isEqualTo("ok");
            }

            assertThat(server.talks()).hasSize(4);
            assertThat(sessions)
                    .as("when sessions were made, as the server sees it")
                    .hasSize(1);
            assertThat(counted("kvstore.storage.tls.handshakes", "kind", "full"))
                    .isEqualTo(1);
            assertThat(counted("kvstore.storage.tls.handshakes", "kind", "resumed"))
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL_REFCNT"})
    void aServerWhoseCertificateBearsAnotherNameIsRefused(SslProvider provider) throws Exception {
        trust(provider);
        try (TestServer server = new TestServer(keys.listen("TLSv1.3"), talk -> talk.answerAll(LAST_OK))) {
            assertThatThrownBy(() -> text(get("127.0.0.1", server)).block())
                    .hasMessageContaining("127.0.0.1:" + server.port())
                    .hasRootCauseInstanceOf(java.security.cert.CertificateException.class);
            assertThat(connections("active")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL_REFCNT"})
    void aServerThatNobodyVouchesForIsRefused(SslProvider provider) throws Exception {
        client.close();
        client = new NettyHttpClient(OPTIONS, AddressCache.ofSystem(OPTIONS.dnsTtl()), new Tls(provider, null), meters);
        try (TestServer server = new TestServer(keys.listen("TLSv1.3"), talk -> talk.answerAll(LAST_OK))) {
            assertThatThrownBy(() -> text(get("localhost", server)).block())
                    .hasMessageContaining("localhost:" + server.port());
        }
    }

    /** The proxy sees bytes that it cannot read. */
    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL_REFCNT"})
    void aProxyHasNoPartInTheTls(SslProvider provider) throws Exception {
        try (TestServer server = new TestServer(keys.listen("TLSv1.3"), talk -> talk.answerAll(LAST_OK));
                RelayingProxy proxy = new RelayingProxy(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), "200 OK")) {
            trust(provider, through(HttpProxy.of("127.0.0.1:" + proxy.port())));

            assertThat(text(new HttpRequest(HttpMethod.GET, "https://account.invalid/blob"))
                            .block())
                    .isEqualTo("ok");
            assertThat(proxy.asked()).containsExactly("CONNECT account.invalid:443 HTTP/1.1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL_REFCNT"})
    void leasedMemoryTravelsThroughTls(SslProvider provider) throws Exception {
        trust(provider);
        int length = 3_000_000;
        ByteBuffer content = StoredContents.random(1, length);
        CompletableFuture<byte[]> arrived = new CompletableFuture<>();
        try (TestServer server = new TestServer(keys.listen("TLSv1.3"), talk -> {
            talk.head();
            arrived.complete(talk.socket().getInputStream().readNBytes(length));
            talk.send(CREATED);
        })) {
            HttpRequest put = new HttpRequest(HttpMethod.PUT, "https://localhost:" + server.port() + "/blob")
                    .setBody(Flux.just(content.slice(0, 1_000_000), content.slice(1_000_000, 2_000_000)))
                    .setHeader(com.azure.core.http.HttpHeaderName.CONTENT_LENGTH, Integer.toString(length));
            Lease lease = new Lease();

            HttpResponse answer = requireNonNull(
                    http().send(put, new Context(AzureHttp.LEASE, lease)).block());

            assertThat(answer.getStatusCode()).isEqualTo(201);
            lease.close();
            assertThat(ByteBuffer.wrap(arrived.join())).isEqualTo(content);
        }
    }

    private void trust(SslProvider provider) throws Exception {
        trust(provider, OPTIONS);
    }

    private void trust(SslProvider provider, HttpOptions options) throws Exception {
        client.close();
        client = new NettyHttpClient(
                options, AddressCache.ofSystem(OPTIONS.dnsTtl()), new Tls(provider, keys.authorities()), meters);
    }

    private static HttpRequest get(String host, TestServer server) {
        return new HttpRequest(HttpMethod.GET, "https://" + host + ":" + server.port() + "/blob");
    }
}
