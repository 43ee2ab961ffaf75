package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.TestAuthority;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A database on another machine, whose URL names no file with authorities, as one of Azure's. */
class DatabaseAuthorityIT {
    private static final String PASSWORD_OF_STORE = "changeit";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private int port;
    private TestAuthority authority;
    private Postgres database;

    @BeforeEach
    void start() throws Exception {
        Container.requireRoot();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path of = Files.createDirectory(folder.resolve("database"));
        authority = new TestAuthority(of, "authority");
        TestAuthority.Issued own = authority.issue("database");
        port = FreePorts.row(3);
        database = Postgres.start(
                of, List.of(), port + 2, "ssl=on", "ssl_cert_file=" + own.chain(), "ssl_key_file=" + own.key());
    }

    @AfterEach
    void stop() {
        if (database != null) {
            database.close();
        }
    }

    @Test
    void isVerifiedByTheAuthoritiesOfTheJdk() throws Exception {
        Path store = folder.resolve("authorities.p12");
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        try (var in = Files.newInputStream(authority.certificate())) {
            authorities.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        try (var out = Files.newOutputStream(store)) {
            authorities.store(out, PASSWORD_OF_STORE.toCharArray());
        }

        Process process = controlPlane(Map.of(
                "JAVA_TOOL_OPTIONS",
                "-Djavax.net.ssl.trustStore=" + store + " -Djavax.net.ssl.trustStorePassword=" + PASSWORD_OF_STORE));
        try {
            await().atMost(Patience.LIMIT)
                    .until(() -> !process.isAlive() || Readiness.http(ready()).isReady());
            assertThat(process.isAlive()).as(said()).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void thatTheJdkDoesNotKnowIsRefusedInASentence() throws Exception {
        Process process = controlPlane(Map.of());
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(said()).contains("the database", "cannot be used").doesNotContain("\tat ");
        } finally {
            process.destroyForcibly();
        }
    }

    private Process controlPlane(Map<String, String> more) throws Exception {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("KVSTORE_DB_USER", Postgres.USER);
        environment.put("KVSTORE_DB_PASSWORD", Postgres.PASSWORD);
        return Kv.start(
                folder,
                environment,
                List.of(
                        "control-plane",
                        "--http-port",
                        "" + port,
                        "--port",
                        "" + (port + 1),
                        "--jdbc-url",
                        "jdbc:postgresql://localhost:" + (port + 2) + "/postgres?sslmode=verify-full"),
                folder.resolve("out"),
                folder.resolve("said"));
    }

    private URI ready() {
        return URI.create("http://127.0.0.1:" + port + "/q/health/ready");
    }

    private String said() throws Exception {
        return Files.readString(folder.resolve("said"));
    }
}
