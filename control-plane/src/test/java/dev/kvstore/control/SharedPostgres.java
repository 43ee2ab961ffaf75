package dev.kvstore.control;

import dev.kvstore.control.database.Database;
import dev.kvstore.testing.postgres.ClassDatabase;
import dev.kvstore.testing.postgres.TestPostgres;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Databases for tests that need one of their own, but no server. Thread-safe. */
public final class SharedPostgres {
    private SharedPostgres() {}

    /**
     * A database that no other test class has.
     *
     * @param source of connections to it
     */
    public record Own(Database database, DataSource source) {}

    /** A new database, without a schema. */
    public static Own newDatabase() throws SQLException {
        ClassDatabase made = TestPostgres.newDatabase();
        return new Own(new Database(made.url(), ClassDatabase.USER, ""), made.source());
    }
}
