package dev.kvstore.accounts;

import dev.kvstore.admin.database.Vital;
import dev.kvstore.testing.postgres.ClassDatabase;
import dev.kvstore.testing.postgres.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.sql.SQLException;
import java.util.Map;

/** A database with the registry's schema, and small quotas. */
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
            database = TestPostgres.newDatabase("change", "account");
        } catch (SQLException e) {
            throw new IllegalStateException("the registry has no database", e);
        }
        Map<String, String> settings = database.settings("", Vital.POOL);
        settings.put("kvstore.storage-endpoints", "https://*.blob.core.windows.net,http://127.0.0.1:*/*,file:///*");
        settings.put("kvstore.max-accounts-per-tenant", "120");
        settings.put("kvstore.max-keys-per-tenant", "30");
        settings.put("kvstore.max-grants-per-account", "5");
        settings.put("kvstore.max-warmings-per-tenant", "10");
        settings.put("kvstore.max-purges-per-tenant", "10");
        return settings;
    }

    @Override
    public void stop() {
        // The server ends with this JVM.
    }
}
