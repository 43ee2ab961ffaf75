package dev.kvstore.testing.postgres;

import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.Patience;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;

/** One PostgreSQL for all tests of a JVM; it ends with the JVM. Thread-safe. */
public final class TestPostgres {
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final Map<List<String>, String> TEMPLATES = new ConcurrentHashMap<>();

    private TestPostgres() {}

    /** Starts a PostgreSQL of the caller's own, with a port that no other server takes before it listens. */
    public static EmbeddedPostgres start() throws IOException {
        return EmbeddedPostgres.builder()
                .setPgBinaryResolver(new PostgresArchive())
                .setPort(FreePorts.one())
                .setPGStartupWait(Patience.LIMIT)
                .start();
    }

    /**
     * Makes a database. The migrations of its schemas run once in a JVM; every further database with the same schemas
     * is a copy.
     *
     * @param schemas the folders below {@code db} on the class path whose migrations run, in this order; none for an
     *     empty database
     */
    public static ClassDatabase newDatabase(String... schemas) throws SQLException {
        String template = TEMPLATES.computeIfAbsent(List.of(schemas), TestPostgres::migrated);
        return create(" template " + template);
    }

    private static String migrated(List<String> schemas) {
        try {
            ClassDatabase database = create("");
            for (String schema : schemas) {
                Flyway.configure()
                        .dataSource(database.url(), ClassDatabase.USER, "")
                        .table("history_of_" + schema)
                        .locations("classpath:db/" + schema)
                        // The tables of the other schemas exist already.
                        .baselineOnMigrate(true)
                        .baselineVersion("0")
                        .load()
                        .migrate();
            }
            return database.url().replaceFirst(".*/([a-z0-9]+).*", "$1");
        } catch (SQLException e) {
            throw new IllegalStateException("the database of " + schemas + " cannot be made", e);
        }
    }

    private static ClassDatabase create(String template) throws SQLException {
        String name = "test" + MADE.incrementAndGet();
        try (Connection connection = Server.POSTGRES.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name + template);
        }
        return new ClassDatabase(
                "jdbc:postgresql://localhost:" + Server.POSTGRES.getPort() + "/" + name,
                Server.POSTGRES.getDatabase(ClassDatabase.USER, name));
    }

    /** The server of this JVM, which starts with its first database. */
    private static final class Server {
        private static final EmbeddedPostgres POSTGRES = startShared();

        private static EmbeddedPostgres startShared() {
            try {
                return start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
