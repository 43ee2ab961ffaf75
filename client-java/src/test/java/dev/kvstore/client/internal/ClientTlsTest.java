package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.ClientCertificate;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client's files are replaced while it runs. */
class ClientTlsTest {
    /** A server without services says so to whoever gets as far as to ask. */
    private static final Status.Code SPOKEN_TO = Status.Code.UNIMPLEMENTED;

    private static final Status.Code REFUSED = Status.Code.UNAVAILABLE;

    @TempDir
    Path folder;

    private TestAuthority first;
    private TestAuthority second;
    private Path trust;
    private Issued own;

    @BeforeEach
    void issue() throws IOException {
        first = new TestAuthority(folder, "first");
        second = new TestAuthority(folder, "second");
        trust = Files.copy(first.certificate(), folder.resolve("trust.pem"));
        own = new Issued(folder.resolve("own.pem"), folder.resolve("own.key"));
        replaceOwn(first.issue("client-of-first"));
    }

    @Test
    void newConnectionsTrustTheAuthoritiesOfNow() throws Exception {
        Server ofFirst = serving(first, ClientAuth.NONE);
        Server ofSecond = serving(second, ClientAuth.NONE);
        try (ClientTls tls = new ClientTls(options(null))) {
            assertThat(call(tls, ofFirst)).isEqualTo(SPOKEN_TO);
            assertThat(call(tls, ofSecond)).isEqualTo(REFUSED);

            Files.copy(second.certificate(), trust, StandardCopyOption.REPLACE_EXISTING);
            tls.poll();

            assertThat(call(tls, ofFirst)).isEqualTo(REFUSED);
            assertThat(call(tls, ofSecond)).isEqualTo(SPOKEN_TO);
        } finally {
            ofFirst.shutdownNow();
            ofSecond.shutdownNow();
        }
    }

    @Test
    void newConnectionsShowTheCertificateOfNow() throws Exception {
        Server server = serving(first, ClientAuth.REQUIRE);
        replaceOwn(second.issue("client-of-second"));
        try (ClientTls tls = new ClientTls(options(new ClientCertificate(own.chain(), own.key())))) {
            assertThat(call(tls, server)).isEqualTo(REFUSED);

            replaceOwn(first.issue("renewed"));
            tls.poll();

            assertThat(call(tls, server)).isEqualTo(SPOKEN_TO);
        } finally {
            server.shutdownNow();
        }
    }

    @Test
    void filesThatCannotBeUsedChangeNothing() throws Exception {
        Server server = serving(first, ClientAuth.NONE);
        try (ClientTls tls = new ClientTls(options(null))) {
            Files.writeString(trust, "garbage");
            tls.poll();

            assertThat(call(tls, server)).isEqualTo(SPOKEN_TO);
        } finally {
            server.shutdownNow();
        }
    }

    private void replaceOwn(Issued issued) throws IOException {
        Files.copy(issued.chain(), own.chain(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(issued.key(), own.key(), StandardCopyOption.REPLACE_EXISTING);
    }

    private ClientOptions options(@Nullable ClientCertificate certificate) {
        return new ClientOptions(
                List.of("127.0.0.1:8085"),
                List.of(),
                "",
                null,
                Duration.ZERO,
                "kv_secret",
                "demo",
                Duration.ofSeconds(20),
                1,
                256 * 1024,
                256 * 1024,
                1024 * 1024,
                1,
                1,
                RetryOptions.DEFAULT,
                TransportOptions.DEFAULT,
                List.of(),
                false,
                true,
                trust,
                certificate);
    }

    /** The JDK's TLS, which lets clients resume sessions. */
    private Server serving(TestAuthority authority, ClientAuth auth) throws IOException {
        Issued certificate =
                authority.issue("server-of-" + authority.certificate().getFileName());
        return NettyServerBuilder.forPort(0)
                .sslContext(GrpcSslContexts.configure(
                                SslContextBuilder.forServer(
                                        certificate.chain().toFile(),
                                        certificate.key().toFile()),
                                SslProvider.JDK)
                        .trustManager(authority.certificate().toFile())
                        .clientAuth(auth)
                        .build())
                .build()
                .start();
    }

    /** The outcome of a call over a new connection. */
    private static Status.Code call(ClientTls tls, Server server) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .sslContext(tls.context())
                .build();
        try {
            return Assertions.catchThrowableOfType(
                            StatusRuntimeException.class,
                            () -> KVStoreServiceGrpc.newBlockingStub(channel)
                                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                                    .lookup(LookupRequest.getDefaultInstance()))
                    .getStatus()
                    .getCode();
        } finally {
            channel.shutdownNow();
        }
    }
}
