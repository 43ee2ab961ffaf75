package dev.kvstore.control.transport;

import static io.restassured.RestAssured.given;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A control plane whose certificate is renewed under it, as cert-manager and a key vault do. */
@Tag("slow")
@QuarkusTest
@TestProfile(RotatedCertificatesTest.RotatedTlsProfile.class)
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class RotatedCertificatesTest {
    private static final String FOLDER = "dev.kvstore.test.rotated";

    /** Both ports over TLS, with files that others replace. */
    public static final class RotatedTlsProfile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            try {
                Path folder = Files.createTempDirectory("kv-rotated");
                TestAuthority authority = new TestAuthority(folder, "authority");
                Issued own = authority.issue("first");
                authority.issue("second");
                return Map.of(
                        FOLDER,
                        folder.toString(),
                        PortTls.CERTIFICATE,
                        own.chain().toString(),
                        PortTls.KEY,
                        own.key().toString(),
                        "quarkus.http.ssl.certificate.files",
                        own.chain().toString(),
                        "quarkus.http.ssl.certificate.key-files",
                        own.key().toString(),
                        "quarkus.http.test-ssl-port",
                        "0",
                        "kvstore.tls-reload-interval",
                        "100ms");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @TestHTTPResource(value = "/", tls = true)
    @SuppressWarnings("NullAway.Init")
    URL rest;

    @ConfigProperty(name = FOLDER)
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** The owner of the certificate that a new connection sees. */
    private String shownAt(int port) throws IOException, GeneralSecurityException {
        KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
        authorities.load(null);
        try (InputStream in = Files.newInputStream(folder.resolve("authority.pem"))) {
            authorities.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        // A new one each time, so that no session is taken up again.
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return shown.getSubjectX500Principal().getName();
        }
    }

    @Test
    void bothPortsShowTheNewCertificateWithoutARestart() throws Exception {
        assertThat(shownAt(rest.getPort())).isEqualTo("CN=first");
        assertThat(shownAt(grpcPort)).isEqualTo("CN=first");

        for (String kind : new String[] {"key", "pem"}) {
            Files.move(
                    folder.resolve("second." + kind), folder.resolve("first." + kind), ATOMIC_MOVE, REPLACE_EXISTING);
        }

        await().atMost(Patience.LIMIT).untilAsserted(() -> {
            assertThat(shownAt(rest.getPort())).isEqualTo("CN=second");
            assertThat(shownAt(grpcPort)).isEqualTo("CN=second");
        });
        given().get("/q/health/ready")
                .then()
                .body("checks.find { it.name == 'tls' }.data.certificate", equalTo("CN=second"));
        assertThat(given().get("/q/metrics").asString())
                .contains("kvstore_tls_reloads_total 1.0")
                .contains("kvstore_tls_certificate_expiration_timestamp_seconds");
    }
}
