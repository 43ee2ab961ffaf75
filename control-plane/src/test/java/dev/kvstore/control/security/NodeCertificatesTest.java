package dev.kvstore.control.security;

import static dev.kvstore.control.security.JoinTokensTest.assertRefused;
import static dev.kvstore.control.security.JoinedFleet.cluster;
import static dev.kvstore.control.security.JoinedFleet.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.transport.PortTls;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers that are data planes by their certificate, where the control plane asks for one. */
@Tag("slow")
@QuarkusTest
@TestProfile(NodeCertificatesTest.NodeTlsProfile.class)
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class NodeCertificatesTest {
    private static final String FOLDER = "dev.kvstore.test.certificates";

    /** The gRPC port over TLS, where certificates of one authority are asked for. */
    public static final class NodeTlsProfile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            try {
                Path folder = Files.createTempDirectory("kv-certificates");
                TestAuthority authority = new TestAuthority(folder, "authority");
                Issued own = authority.issue("control-plane");
                return Map.of(
                        FOLDER,
                        folder.toString(),
                        PortTls.CERTIFICATE,
                        own.chain().toString(),
                        PortTls.KEY,
                        own.key().toString(),
                        PortTls.CLIENT_AUTHORITIES,
                        authority.certificate().toString());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @Inject
    @SuppressWarnings("NullAway.Init")
    AcceptedTokens clusters;

    @ConfigProperty(name = FOLDER)
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final List<ManagedChannel> channels = new ArrayList<>();
    private int issued;

    @BeforeEach
    void register() {
        cluster("cert-1", "cert-a");
        cluster("cert-1", "cert-b");
        // A new cluster is heard of a moment later.
        for (String name : List.of("cert-a", "cert-b")) {
            await().atMost(Patience.LIMIT).until(() -> clusters.regionOf(name).isPresent());
        }
    }

    @AfterEach
    void disconnect() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    private static String uri(String path) {
        return "URI:spiffe://kv.example.com/kvstore/" + path;
    }

    /** @param names null shows no certificate */
    private MembershipServiceGrpc.MembershipServiceBlockingStub calls(@Nullable String names) throws IOException {
        TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder()
                .trustManager(folder.resolve("authority.pem").toFile());
        if (names != null) {
            Issued own = issue(names);
            credentials.keyManager(own.chain().toFile(), own.key().toFile());
        }
        ManagedChannel channel = Grpc.newChannelBuilderForAddress("localhost", grpcPort, credentials.build())
                .build();
        channels.add(channel);
        return MembershipServiceGrpc.newBlockingStub(channel).withDeadlineAfter(Patience.LIMIT);
    }

    /** By the authority of the profile, whose files are in its folder. */
    private Issued issue(String names) throws IOException {
        String subject = "node-" + issued++;
        Path chain = folder.resolve(subject + ".pem");
        Path key = folder.resolve(subject + ".key");
        TestAuthority.openssl(List.of(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "3",
                "-subj",
                "/CN=" + subject,
                "-out",
                chain.toString(),
                "-keyout",
                key.toString(),
                "-CA",
                folder.resolve("authority.pem").toString(),
                "-CAkey",
                folder.resolve("authority.key").toString(),
                "-addext",
                "basicConstraints=critical,CA:FALSE",
                "-addext",
                "subjectAltName=" + names));
        return new Issued(chain, key);
    }

    private static MembershipServiceGrpc.MembershipServiceBlockingStub with(
            MembershipServiceGrpc.MembershipServiceBlockingStub calls, String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return calls.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    @Test
    void itNamesTheClusterAndTheNodeThatItsBearerMaySpeakFor() throws Exception {
        var node = calls(uri("cluster/cert-a/node/n1") + ",DNS:n1.example.com");

        String lease = node.register(joining("cert-a", "n1", "10.4.0.1:1")).getLease();
        assertThat(node.register(joining("cert-a", "n1-8085", "10.4.0.1:8085")).getLease())
                .isNotEmpty();

        var _ = node.heartbeat(HeartbeatRequest.newBuilder().setLease(lease).build());
        for (String other : List.of("n2", "n11", "n1-1", "n1-x", "n1-080850")) {
            assertRefused(
                    Status.Code.PERMISSION_DENIED,
                    "of node n1 of cluster cert-a, is not for cert-a/" + other,
                    () -> node.register(joining("cert-a", other, "10.4.0.2:1")));
        }
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                "is not for cert-b/n1",
                () -> node.register(joining("cert-b", "n1", "10.4.0.2:1")));
    }

    @Test
    void anothersLeaseIsNotItsMatter() throws Exception {
        String token = JoinedFleet.token("cert-a");
        String lease = with(calls(null), token)
                .register(joining("cert-a", "m1", "10.4.0.3:1"))
                .getLease();

        var other = calls(uri("cluster/cert-a/node/m2"));
        assertRefused(
                Status.Code.NOT_FOUND,
                "lease",
                () -> other.heartbeat(
                        HeartbeatRequest.newBuilder().setLease(lease).build()));
        var _ = calls(uri("cluster/cert-a/node/m1"))
                .heartbeat(HeartbeatRequest.newBuilder().setLease(lease).build());
    }

    @Test
    void anyOtherOfTheAuthorityIsNoDataPlane() throws Exception {
        for (String names : List.of(
                "DNS:n1.cert-a.example.com",
                uri("cluster/cert-a"),
                uri("cluster/cert-a/node/n1/more"),
                uri("cluster/cert-a/node/n%31"),
                uri("cluster/CERT-A/node/n1"),
                uri("cluster/nowhere/node/n1"),
                "URI:https://kv.example.com/kvstore/cluster/cert-a/node/n1",
                "URI:spiffe://kv.example.com/tenant/x",
                uri("cluster/cert-a/node/n1") + "," + uri("cluster/cert-b/node/n1"))) {
            assertRefused(
                    Status.Code.UNAUTHENTICATED,
                    "a client certificate that names cluster and node",
                    () -> calls(names).register(joining("cert-a", "n1", "10.4.0.4:1")));
        }
        assertThat(with(calls("DNS:n1.example.com"), JoinedFleet.token("cert-a"))
                        .register(joining("cert-a", "n9", "10.4.0.9:1"))
                        .getLease())
                .isNotEmpty();
    }

    @Test
    void withBothTheCertificateCounts() throws Exception {
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                "of node n1 of cluster cert-a",
                () -> with(calls(uri("cluster/cert-a/node/n1")), JoinedFleet.token("cert-b"))
                        .register(joining("cert-b", "n1", "10.4.0.5:1")));
    }
}
