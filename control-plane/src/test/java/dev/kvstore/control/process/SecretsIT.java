package dev.kvstore.control.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.stack.LocalDatabase;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The secrets of a control plane, which runs as a real process: they are good as they are given, and shown nowhere. */
class SecretsIT {
    private static final String CANARY = "canary";
    private static final String ADMIN = "kva_" + CANARY + "-of-an-admin-${admin}$$";
    private static final String JOIN = CANARY + "-of-data-planes-${join}$$";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** A URL of a database whose one user has this password. */
    private static String url(LocalDatabase postgres, String password) throws SQLException {
        try (Connection connection = owner(postgres);
                Statement statement = connection.createStatement()) {
            statement.execute("create role kv login password '" + password + "'");
            statement.execute("create database kv owner kv");
            // The server's limits are not for connections that are idle now and then.
            statement.execute("alter database kv set idle_session_timeout = '1s'");
        }
        return postgres.url().replaceFirst("/[^/]*$", "/kv");
    }

    private static Connection owner(LocalDatabase postgres) throws SQLException {
        return DriverManager.getConnection(postgres.url(), LocalDatabase.USER, postgres.password());
    }

    @ParameterizedTest
    @ValueSource(strings = {"canary-pa$$w0rd12", "canary-x${y}z12345"})
    void areGoodAsTheyAreAndShownNowhere(String password) throws Exception {
        Path log = folder.resolve("log");
        try (LocalDatabase postgres = LocalDatabase.start(Home.current(), folder.resolve("data"), new SecureRandom())) {
            Map<String, String> environment = Map.of(
                    "KVSTORE_DB_USER", "kv\n",
                    "KVSTORE_DB_PASSWORD", password + "\n",
                    "KVSTORE_ADMIN_TOKEN", " " + ADMIN + "\n",
                    "KVSTORE_JOIN_TOKEN", JOIN + "\r\n");
            StringBuilder told = new StringBuilder();
            try (ControlPlaneInstance replica =
                    ControlPlaneInstance.start(url(postgres, password), environment, log, "--log-level", "debug")) {
                assertThat(replica.with(ADMIN).get("/v1/whoami").statusCode()).isEqualTo(200);
                assertThat(replica.calls(JOIN)
                                .watch(WatchRequest.newBuilder()
                                        .setRegion("r")
                                        .setNode("n")
                                        .build())
                                .hasNext())
                        .isTrue();
                for (String path :
                        List.of("/v1/whoami", "/v1/audit", "/q/health", "/q/metrics", "/q/openapi", "/none")) {
                    told.append(replica.with(ADMIN).get(path).asString());
                    told.append(replica.with("kva_" + "x".repeat(20)).get(path).asString());
                }
                told.append(replica.with(ADMIN).body("{").put("/v1/tenants/a").asString());
                awaitIdleListener(postgres);
            }
            assertThat(told.toString()).contains("local-admin").doesNotContain(CANARY);
            assertThat(Files.readString(log))
                    .isNotEmpty()
                    .doesNotContain(CANARY, "watchers hear of no changes", "idle-session timeout");
        }
    }

    /** Until the connection that listens has been idle for longer than the server lets others be. */
    private static void awaitIdleListener(LocalDatabase postgres) {
        await().atMost(Patience.LIMIT).until(() -> {
            try (Connection connection = owner(postgres);
                    Statement statement = connection.createStatement();
                    var rows = statement.executeQuery("select from pg_stat_activity where query like 'listen %'"
                            + " and state = 'idle' and state_change < now() - interval '3 seconds'")) {
                return rows.next();
            }
        });
    }

    @Test
    void aDatabaseThatIsAwayIsToldWithoutThePasswordInItsUrl() throws Exception {
        Path log = folder.resolve("log");
        try (ManagedProcess process = ControlPlaneInstance.process(
                FreePorts.row(2),
                "jdbc:postgresql://127.0.0.1:1/kv?user=kv&password=" + CANARY,
                Map.of(),
                log,
                "--log-level",
                "debug")) {
            await().atMost(Patience.LIMIT).until(() -> !process.isAlive());
        }

        assertThat(Files.readString(log))
                .contains("kv control-plane: the database at jdbc:postgresql://127.0.0.1:1/kv cannot be used")
                .doesNotContain(CANARY);
    }

    @Test
    void aSlipInTheCommandLineIsToldWithoutThePasswordInIt() throws Exception {
        Path log = folder.resolve("log");
        try (ManagedProcess process = ControlPlaneInstance.process(
                FreePorts.row(2),
                "jdbc:postgresql://127.0.0.1:1/kv",
                Map.of(),
                log,
                "--jdbc-ur=jdbc:postgresql://127.0.0.1:1/kv?user=kv&password=" + CANARY)) {
            await().atMost(Patience.LIMIT).until(() -> !process.isAlive());
        }

        assertThat(Files.readString(log)).contains("--jdbc-ur").doesNotContain(CANARY);
    }
}
