package dev.kvstore.control;

import dev.kvstore.control.database.Database;
import dev.kvstore.control.database.Migrations;
import dev.kvstore.control.server.ControlPlane;
import dev.kvstore.testing.postgres.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** A real PostgreSQL for the application under test, with the schema that its process would bring it to. */
public final class TestDatabase implements QuarkusTestResourceLifecycleManager {
    /** Lets its bearer do everything. */
    public static final String ADMIN_TOKEN = "kva_the-tests-admin-token";

    /** Lets data planes ask. */
    public static final String JOIN_TOKEN = "the-tests-join-token";

    @SuppressWarnings("NullAway.Init")
    private static volatile EmbeddedPostgres postgres;

    /** The PostgreSQL that runs now. */
    public static Database database() {
        return new Database(postgres.getJdbcUrl("postgres", "postgres"), "postgres", "");
    }

    /** Runs a statement in it. */
    public static void execute(String statement) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(database().url(), database().user(), "");
                Statement command = connection.createStatement()) {
            command.execute(statement);
        }
    }

    @Override
    public Map<String, String> start() {
        try {
            postgres = TestPostgres.start();
            Migrations.run(database());
        } catch (Exception e) {
            throw new IllegalStateException("PostgreSQL cannot be started", e);
        }
        Map<String, String> settings = new HashMap<>(ControlPlane.settings(database()));
        settings.put("kvstore.admin-token", ADMIN_TOKEN);
        settings.put("kvstore.join-token", JOIN_TOKEN);
        settings.put("kvstore.storage-endpoints", "https://*.blob.core.windows.net,http://127.0.0.1:*/*,file:///*");
        settings.put("kvstore.max-accounts-per-tenant", "120");
        settings.put("kvstore.max-keys-per-tenant", "30");
        settings.put("kvstore.max-grants-per-account", "5");
        settings.put("kvstore.max-connections", "150");
        settings.put("quarkus.http.test-port", "0");
        settings.put("quarkus.grpc.server.test-port", "0");
        return settings;
    }

    @Override
    public void stop() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new IllegalStateException("PostgreSQL cannot be stopped", e);
        }
    }
}
