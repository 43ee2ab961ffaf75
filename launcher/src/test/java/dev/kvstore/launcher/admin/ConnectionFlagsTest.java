package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.kvstore.launcher.rest.TrustedAuthorities;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the token comes from, and who is believed. */
class ConnectionFlagsTest {
    private static final String PASSWORD = "of-no-value";

    @TempDir
    Path folder;

    @Test
    void theFileThatIsNamedGoesBeforeTheEnvironmentAndThatBeforeTheUsualFile() throws Exception {
        Path named = Files.writeString(folder.resolve("named"), "of-the-flag\n");
        Path usual = Files.writeString(folder.resolve("usual"), "of-kv-up\n");

        assertThat(ConnectionFlags.token(named, "of-the-environment", usual)).isEqualTo("of-the-flag");
        assertThat(ConnectionFlags.token(null, "of-the-environment", usual)).isEqualTo("of-the-environment");
        assertThat(ConnectionFlags.token(null, null, usual)).isEqualTo("of-kv-up");
        assertThat(ConnectionFlags.token(null, " ", usual)).isEqualTo("of-kv-up");
    }

    @Test
    void withoutATokenItIsSaidHowToHaveOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionFlags.token(null, null, folder.resolve("none")))
                .withMessageContainingAll("KVSTORE_ADMIN_TOKEN", "--token-file");
    }

    @Test
    void aTokenIsNotShownWhenItCannotBeOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionFlags.token(null, "two words", folder.resolve("none")))
                .withMessageContaining("KVSTORE_ADMIN_TOKEN")
                .withMessageNotContaining("two");
    }

    @Test
    void aFileThatIsNamedHasToBeThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionFlags.token(folder.resolve("none"), "of-the-environment", folder))
                .withMessageContainingAll("--token-file", "none", "no such file");
    }

    @Test
    void theAuthorityThatIsNamedIsBelievedAndNoOther() throws Exception {
        Path keys = folder.resolve("keys.p12");
        Path authority = folder.resolve("authority.pem");
        keytool(keys, "-genkeypair", "-keyalg", "EC", "-dname", "CN=test", "-ext", "san=dns:localhost");
        keytool(keys, "-exportcert", "-rfc", "-file", authority.toString());
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(identity(keys)));
        server.createContext("/", call -> {
            call.sendResponseHeaders(204, -1);
            call.close();
        });
        server.start();
        try {
            URI url = URI.create("https://localhost:" + server.getAddress().getPort());

            assertThat(status(url, TrustedAuthorities.of(authority))).isEqualTo(204);
            assertThatExceptionOfType(SSLException.class).isThrownBy(() -> status(url, TrustedAuthorities.of(null)));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aFileWithoutAuthoritiesIsNamed() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrustedAuthorities.of(empty))
                .withMessage("--ca: " + empty + " holds no certificate");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrustedAuthorities.of(folder.resolve("none")))
                .withMessageContainingAll("--ca", "none", "no such file");
    }

    private static int status(URI url, SSLContext trust) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(trust).build()) {
            return client.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    private static SSLContext identity(Path keys) throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray()), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    private static void keytool(Path keys, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(more));
        command.addAll(List.of("-alias", "test", "-keystore", keys.toString(), "-storepass", PASSWORD));
        assertThat(new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isZero();
    }
}
