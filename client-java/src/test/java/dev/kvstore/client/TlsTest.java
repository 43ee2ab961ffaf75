package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The certificates that a client believes and shows, and its message when the two ends do not fit. */
@ParameterizedClass
@EnumSource(TransportOptions.Stack.class)
class TlsTest {
    @TempDir
    static Path folder;

    private static TestAuthority authority;
    private static TestAuthority other;
    private static Issued server;
    private static Issued elsewhere;
    private static Issued client;
    private static Issued stranger;

    private final TransportOptions.Stack stack;

    TlsTest(TransportOptions.Stack stack) {
        this.stack = stack;
    }

    @BeforeAll
    static void issue() throws IOException {
        authority = new TestAuthority(folder, "authority");
        other = new TestAuthority(folder, "other");
        server = authority.issue("server");
        elsewhere = authority.issue("elsewhere", 30, "DNS:kv.example.net");
        client = authority.issue("client");
        stranger = other.issue("stranger");
    }

    @Test
    void aServerOfATrustedAuthorityIsSpokenTo() {
        try (ScriptedServer over = serving(server, ClientAuth.NONE)) {
            assertThat(failure(over, b -> b.trust(authority.certificate()))).isNull();
        }
    }

    @Test
    void aServerThatAsksForACertificateIsShownIt() {
        try (ScriptedServer over = serving(server, ClientAuth.REQUIRE)) {
            assertThat(failure(
                            over,
                            b -> b.trust(authority.certificate()).clientCertificate(client.chain(), client.key())))
                    .isNull();
        }
    }

    @Test
    void aServerOfAnotherAuthorityIsNotTrustedAndTheWayOutIsTrust() {
        try (ScriptedServer over = serving(server, ClientAuth.NONE)) {
            assertThat(failure(over, b -> b.trust(other.certificate())))
                    .hasMessageContaining("the server's certificate is not trusted")
                    .hasMessageContaining("trust(");
            assertThat(over.credentials()).isEmpty();
        }
    }

    @Test
    void aServerOfAnotherNameIsNotTrustedAndTheNameIsSaid() {
        try (ScriptedServer over = serving(elsewhere, ClientAuth.NONE)) {
            assertThat(failure(over, b -> b.trust(authority.certificate())))
                    .hasMessageContaining("the server's certificate is not for this name")
                    .hasMessageContaining("127.0.0.1")
                    .hasMessageContaining("subjectAltName");
            assertThat(over.credentials()).isEmpty();
        }
    }

    @Test
    void plaintextToATlsPortSaysSo() {
        try (ScriptedServer over = serving(server, ClientAuth.NONE)) {
            assertThat(failure(over, b -> b)).hasMessageContaining("speaks TLS").hasMessageContaining("tls()");
        }
    }

    @Test
    void aPortOfHttp1SaysSo() throws IOException {
        HttpServer rest = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        rest.start();
        try {
            assertThat(failure("127.0.0.1:" + rest.getAddress().getPort(), b -> b))
                    .hasMessageContaining("speaks HTTP/1")
                    .hasMessageContaining("give the gRPC port");
        } finally {
            rest.stop(0);
        }
    }

    @Test
    void tlsToAPlaintextPortSaysSo() {
        try (ScriptedServer plain = new ScriptedServer(new StoringScript())) {
            assertThat(failure(plain, b -> b.trust(authority.certificate())))
                    .hasMessageContaining("does not speak TLS")
                    .hasMessageContaining("--tls-cert");
        }
    }

    @Test
    void aServerThatMissesACertificateIsSaidToAskForOne() {
        try (ScriptedServer over = serving(server, ClientAuth.REQUIRE)) {
            assertThat(failure(over, b -> b.trust(authority.certificate()))).hasMessageContaining("clientCertificate(");
        }
    }

    @Test
    void aCertificateThatTheServerRefusesIsSaidToBeRefused() {
        try (ScriptedServer over = serving(server, ClientAuth.REQUIRE)) {
            assertThat(failure(
                            over,
                            b -> b.trust(authority.certificate()).clientCertificate(stranger.chain(), stranger.key())))
                    .hasMessageContaining("clientCertificate(");
        }
    }

    /** The failure of a lookup; null if it succeeds. */
    private @Nullable KvStoreException failure(ScriptedServer server, UnaryOperator<KvClientBuilder> security) {
        return failure(server.endpoint(), security);
    }

    private @Nullable KvStoreException failure(String endpoint, UnaryOperator<KvClientBuilder> security) {
        KvClientBuilder builder = KvClient.builder()
                .endpoints(endpoint)
                .apiKey("kv_a_secret")
                .resource("demo")
                .transport(TransportOptions.DEFAULT.withStack(stack))
                .deadline(Duration.ofSeconds(20));
        try (KvClient client = security.apply(builder).build()) {
            return catchThrowableOfType(
                    KvStoreException.class, () -> client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(1)));
        }
    }

    private static ScriptedServer serving(Issued certificate, ClientAuth auth) {
        Consumer<NettyServerBuilder> tls = builder -> {
            try {
                builder.sslContext(GrpcSslContexts.configure(SslContextBuilder.forServer(
                                certificate.chain().toFile(), certificate.key().toFile()))
                        .trustManager(authority.certificate().toFile())
                        .clientAuth(auth)
                        .protocols("TLSv1.3")
                        .build());
            } catch (SSLException e) {
                throw new UncheckedIOException(e);
            }
        };
        return new ScriptedServer(new StoringScript(), 0, tls);
    }
}
