package dev.kvstore.control.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.internal.exception.FlywaySqlException;
import org.jspecify.annotations.Nullable;

/**
 * Brings the schema up to what this version needs. Each registry, warming and purging have migrations and a history of their own. Several
 * replicas may do so at once: one does it, the others wait. Stateless.
 */
public final class Migrations {
    private static final List<String> ROOMS = List.of("change", "account", "cluster", "warming", "purge");

    /** Any number that nothing else in this database locks. */
    private static final long ONE_AT_A_TIME = 0x6b76_736d_6967_7261L;

    private Migrations() {}

    /**
     * Migrates forward.
     *
     * @throws BadDatabaseException if the database cannot be reached, is of a newer version, or a migration fails; what
     *     had been done of that one is undone
     */
    public static void run(Database database) throws BadDatabaseException {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement lock = connection.createStatement()) {
            // Flyway's own lock begins after it has made its table, where two that start at once meet.
            lock.execute("select pg_advisory_lock(" + ONE_AT_A_TIME + ")");
            migrate(database);
        } catch (SQLException e) {
            throw new BadDatabaseException("the database at " + database.url() + " cannot be used: " + reason(e), e);
        }
    }

    private static void migrate(Database database) throws BadDatabaseException {
        for (String room : ROOMS) {
            try {
                Flyway flyway = of(database, room).load();
                requireKnown(flyway, room);
                flyway.migrate();
            } catch (FlywayValidateException e) {
                throw new BadDatabaseException(
                        "the schema \"" + room + "\" is not one that this version made: " + reason(e)
                                + ". Use the version that made it, or a newer one",
                        e);
            } catch (FlywayException e) {
                throw failed(database, room, e);
            }
        }
    }

    private static BadDatabaseException failed(Database database, String room, FlywayException e) {
        String reason = reason(e);
        if (e instanceof FlywaySqlException sql && isAway(sql.getSqlState())) {
            return new BadDatabaseException("the database at " + database.url() + " cannot be used: " + reason, e);
        }
        return new BadDatabaseException(
                "the schema \"" + room + "\" could not be migrated: " + reason
                        + ". Nothing of that step was kept; put it right and start again",
                e);
    }

    /** Whether it was the connection that failed, or who asked for it was refused. */
    private static boolean isAway(@Nullable String sqlState) {
        return sqlState == null || sqlState.startsWith("08") || sqlState.startsWith("28") || sqlState.startsWith("3D");
    }

    /** Flyway itself lets a schema pass that is ahead of it. */
    private static void requireKnown(Flyway flyway, String room) throws BadDatabaseException {
        for (MigrationInfo info : flyway.info().applied()) {
            if (info.getState() == MigrationState.FUTURE_SUCCESS || info.getState() == MigrationState.FUTURE_FAILED) {
                throw new BadDatabaseException("the schema \"" + room + "\" is of version " + info.getVersion()
                        + ", which this version does not know: use a newer one");
            }
        }
    }

    static FluentConfiguration of(Database database, String room) {
        return Flyway.configure()
                .dataSource(database.url(), database.user(), database.password())
                .table("history_of_" + room)
                .locations("classpath:db/" + room)
                // The other rooms' tables are there already.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .connectRetries(0);
    }

    /** What the database said, if it said something. */
    private static String reason(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
