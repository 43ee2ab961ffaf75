package dev.kvstore.simulation.database;

import dev.kvstore.control.database.BadDatabaseException;
import dev.kvstore.control.database.Database;
import dev.kvstore.control.database.Migrations;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL with the product's schema, on one connection, for all histories of this JVM one after the other. Its
 * functions {@code now()} and {@code clock_timestamp()} return the time that {@link #time} set. For one thread.
 */
public final class HistoryDatabase {
    private static final String FOLDER = "kv-histories-";

    /**
     * SQL that makes functions of the simulated time. PostgreSQL finds them before its own functions of the same names.
     */
    private static final List<String> TIME = List.of(
            "create schema sim",
            """
            create function sim.now() returns timestamptz language sql stable as
            $$ select coalesce(nullif(current_setting('sim.now', true), '')::timestamptz, pg_catalog.now()) $$""",
            """
            create function sim.clock_timestamp() returns timestamptz language sql stable as
            $$ select sim.now() $$""",
            "alter database postgres set search_path = public, sim, pg_catalog",
            // Only the statements of a history may change where its rows lie.
            "alter system set autovacuum = off",
            // The database's content is of no use after its end.
            "alter system set fsync = off",
            "alter system set full_page_writes = off",
            "alter system set synchronous_commit = off",
            "alter system set track_counts = off",
            "alter system set jit = off",
            "select pg_reload_conf()");

    private static @Nullable HistoryDatabase started;

    private final Connection connection;
    private final PreparedStatement clock;

    private HistoryDatabase(Connection connection) throws SQLException {
        this.connection = connection;
        try (Statement statement = connection.createStatement()) {
            // The plan of a statement must not depend on how often the statement ran.
            statement.execute("set plan_cache_mode = force_custom_plan");
        }
        this.clock = connection.prepareStatement("select set_config('sim.now', ?, false)");
    }

    /** The database of this JVM, which begins when it is first asked for and ends with the JVM. */
    public static HistoryDatabase started() {
        HistoryDatabase known = started;
        if (known == null) {
            known = start();
            started = known;
        }
        return known;
    }

    private static HistoryDatabase start() {
        try {
            Path folder = Files.createTempDirectory(FOLDER);
            LeftOverDatabases.own(folder);
            LeftOverDatabases.deleteAll(Path.of(System.getProperty("java.io.tmpdir")), FOLDER + "*");
            LocalDatabase local = LocalDatabase.start(Home.current(), folder, new SecureRandom());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(local, folder)));
            Database database = new Database(local.url(), LocalDatabase.USER, local.password());
            try (Connection first = open(database);
                    Statement statement = first.createStatement()) {
                for (String line : TIME) {
                    statement.execute(line);
                }
            }
            Migrations.run(database);
            return new HistoryDatabase(open(database));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException | BadDatabaseException e) {
            throw new IllegalStateException("no PostgreSQL for histories", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Connection open(Database database) throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    private static void end(LocalDatabase local, Path folder) {
        local.close();
        try {
            LeftOverDatabases.delete(folder);
        } catch (IOException | UncheckedIOException e) {
            // The next simulation deletes the files.
            System.getLogger(HistoryDatabase.class.getName())
                    .log(System.Logger.Level.DEBUG, "files of the database stay in " + folder, e);
        }
    }

    /** The connection, which is in no transaction between two histories. */
    public Connection connection() {
        return connection;
    }

    /**
     * Deletes all rows, and then runs statements that make the first rows of a history.
     *
     * @param now the time that these statements see
     * @param rows the statements
     */
    public void begin(String now, List<String> rows) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        time(now);
        try (Statement statement = connection.createStatement()) {
            String written = written(statement);
            if (written != null) {
                statement.execute("truncate " + written + " restart identity cascade");
            }
            for (String row : rows) {
                statement.execute(row);
            }
        }
    }

    /**
     * The tables that have had a row; null if none has. Truncating the other tables, too, would take longer than a
     * history.
     */
    private static @Nullable String written(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("""
                select string_agg(quote_ident(relname), ', ' order by relname) as written from pg_class
                where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
                    and relname not like 'history\\_of\\_%'""")) {
            row.next();
            return row.getString("written");
        }
    }

    /** Sets the time that SQL sees. A rollback also undoes a time that was set in its transaction. */
    public void time(String now) throws SQLException {
        clock.setString(1, now);
        clock.executeQuery().close();
    }
}
