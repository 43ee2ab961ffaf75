package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.server.settings.EarlySettings;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc.AccountServiceImplBase;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.ClientAuth;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The certificate that a data plane shows to a control plane that asks for one. */
final class OutgoingTlsTest {
    private static final String NAMES =
            "URI:spiffe://kv.example.com/kvstore/cluster/eu-1-a/node/n1,DNS:localhost,IP:127.0.0.1";
    private static final String NONE = "none";

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private TestAuthority authority;

    @SuppressWarnings("NullAway.Init")
    private Server server;

    /** For each call, the subject that its connection showed, and its credential. */
    private final BlockingQueue<String> shown = new LinkedBlockingQueue<>();

    private final class CertificateCheck implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            shown.add(subject(call) + " "
                    + headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER)));
            return next.startCall(call, headers);
        }

        private static String subject(ServerCall<?, ?> call) {
            try {
                var session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
                X509Certificate certificate = (X509Certificate)
                        java.util.Objects.requireNonNull(session).getPeerCertificates()[0];
                return certificate.getSubjectX500Principal().getName();
            } catch (SSLPeerUnverifiedException e) {
                return NONE;
            }
        }
    }

    @BeforeEach
    void serve() throws Exception {
        authority = new TestAuthority(folder, "authority");
        Issued own = authority.issue("control-plane");
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sslContext(GrpcSslContexts.forServer(
                                own.chain().toFile(), own.key().toFile())
                        .trustManager(authority.certificate().toFile())
                        .clientAuth(ClientAuth.OPTIONAL)
                        .build())
                .addService(ServerInterceptors.intercept(
                        new AccountServiceImplBase() {
                            @Override
                            public void resolve(ResolveRequest request, StreamObserver<ResolveResponse> call) {
                                call.onNext(ResolveResponse.getDefaultInstance());
                                call.onCompleted();
                            }
                        },
                        new CertificateCheck()))
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    private DataPlaneSettings settings(Issued own) {
        Map<String, String> all = new HashMap<>();
        all.put("node-name", "unused");
        all.put("control-plane", "127.0.0.1:" + server.getPort());
        all.put("control-plane-ca", authority.certificate().toString());
        all.put("tls-cert", own.chain().toString());
        all.put("tls-key", own.key().toString());
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder();
        all.forEach((name, value) -> config.withDefaultValue("kvstore." + name, value));
        return EarlySettings.read(config);
    }

    private @Nullable String shown(Issued own, Map<String, String> environment) throws Exception {
        DataPlaneSettings settings = settings(own);
        try (ControlPlaneReplicas plane =
                ControlPlaneLink.open(settings, ListenerTlsFiles.open(settings, InstantSource.system()), environment)) {
            return ask(plane);
        }
    }

    private @Nullable String ask(ControlPlaneReplicas plane) throws Exception {
        var _ = plane.ask(
                AccountServiceGrpc::newFutureStub,
                stub -> stub.resolve(ResolveRequest.getDefaultInstance()),
                Patience.LIMIT);
        return shown.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void itsOwnWhichThenIsProofEnough() throws Exception {
        Issued own = authority.issue("n1", 30, NAMES);

        assertThat(shown(own, Map.of())).isEqualTo("CN=n1 null");
        assertThat(shown(own, Map.of(JoinToken.VARIABLE, "token"))).isEqualTo("CN=n1 Bearer token");
    }

    @Test
    void noneThatIsForServersAlone() throws Exception {
        Issued own = authority.issue("n1", 30, NAMES, "extendedKeyUsage=serverAuth");

        assertThat(shown(own, Map.of(JoinToken.VARIABLE, "token"))).isEqualTo("none Bearer token");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> shown(own, Map.of()))
                .withMessageContaining("needs a join token");
        assertThat(shown(authority.issue("n2", 30, NAMES, "extendedKeyUsage=serverAuth,clientAuth"), Map.of()))
                .isEqualTo("CN=n2 null");
    }

    @Test
    void noneOfAnAuthorityThatIsNotAskedFor() throws Exception {
        Issued own = new TestAuthority(folder, "another").issue("n1", 30, NAMES);

        assertThat(shown(own, Map.of(JoinToken.VARIABLE, "token"))).isEqualTo("none Bearer token");
    }

    @Test
    void theOneThatTookItsPlaceForNewConnections() throws Exception {
        Issued own = authority.issue("n1", 30, NAMES);
        DataPlaneSettings settings = settings(own);
        ListenerTls listener =
                ListenerTlsFiles.open(settings, InstantSource.system()).orElseThrow();
        Issued next = authority.issue("n1-next", 30, NAMES);
        // It connects when it is first asked.
        try (ControlPlaneReplicas plane = ControlPlaneLink.open(settings, Optional.of(listener), Map.of())) {
            Files.copy(next.chain(), own.chain(), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(next.key(), own.key(), StandardCopyOption.REPLACE_EXISTING);
            listener.poll();

            assertThat(ask(plane)).isEqualTo("CN=n1-next null");
        }
    }
}
