package dev.kvstore.clusters;

import dev.kvstore.admin.database.Vital;
import dev.kvstore.testing.postgres.ClassDatabase;
import dev.kvstore.testing.postgres.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.sql.SQLException;
import java.util.Map;

/** A database with the registry's schema. */
public final class RegistryDatabase implements QuarkusTestResourceLifecycleManager {
    @SuppressWarnings("NullAway.Init")
    private static volatile ClassDatabase database;

    /** The database of the application that runs now. */
    public static ClassDatabase database() {
        return database;
    }

    @Override
    public Map<String, String> start() {
        try {
            database = TestPostgres.newDatabase("change", "cluster");
        } catch (SQLException e) {
            throw new IllegalStateException("the registry has no database", e);
        }
        return database.settings("", Vital.POOL);
    }

    @Override
    public void stop() {
        // The server ends with this JVM.
    }
}
