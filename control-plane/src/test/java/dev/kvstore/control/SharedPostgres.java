package dev.kvstore.control;

import dev.kvstore.control.database.Database;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** One PostgreSQL for all tests of a JVM that need a database of their own, but no server. Thread-safe. */
public final class SharedPostgres {
    private static final String USER = "postgres";
    private static final AtomicInteger MADE = new AtomicInteger();

    private SharedPostgres() {}

    /**
     * A database that nobody else has.
     *
     * @param source of connections to it
     */
    public record Own(Database database, DataSource source) {}

    /** A new one, without a schema. */
    public static Own newDatabase() throws SQLException {
        String name = "test" + MADE.incrementAndGet();
        try (Connection connection = Holder.POSTGRES.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return new Own(
                new Database(Holder.POSTGRES.getJdbcUrl(USER, name), USER, ""),
                Holder.POSTGRES.getDatabase(USER, name));
    }

    private static final class Holder {
        // It ends itself with the JVM.
        private static final EmbeddedPostgres POSTGRES = start();

        private static EmbeddedPostgres start() {
            try {
                return TestDatabase.postgres();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
