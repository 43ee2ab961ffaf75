package dev.kvstore.control.database;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.internal.exception.FlywaySqlException;
import org.jspecify.annotations.Nullable;

/**
 * Brings the schema up to what this version needs. Each registry, warming and purging have migrations and a history of
 * their own. Several replicas may do so at once: one does it, the others wait. A schema that is ahead of this version
 * is used as it is, unless {@link SchemaFloor} says that this version cannot. Stateless.
 */
public final class Migrations {
    private static final System.Logger LOG = System.getLogger(Migrations.class.getName());

    private static final List<String> ROOMS = List.of("change", "account", "cluster", "warming", "purge");

    /** The number of the lock; any number will do that nothing else in this database locks. */
    static final long ONE_AT_A_TIME = 0x6b76_736d_6967_7261L;

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Far more than the longest migration takes. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** How often it is told meanwhile that somebody is waited for. */
    private static final int LOOKS = 10;

    private Migrations() {}

    /**
     * Migrates forward.
     *
     * @throws BadDatabaseException if the database cannot be reached, needs a newer version, or a migration fails; the
     *     steps of that migration are undone
     */
    public static void run(Database database) throws BadDatabaseException {
        run(database, PATIENCE);
    }

    /** @param patience how long another one may take that brings the schema up to date now */
    static void run(Database database, Duration patience) throws BadDatabaseException {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement lock = connection.createStatement()) {
            // Flyway's own lock begins after it has made its table, where two that start at once meet.
            awaitTurn(lock, database, patience);
            SchemaFloor.make(lock);
            migrate(database, SchemaFloor.read(lock));
        } catch (SQLException e) {
            throw new BadDatabaseException("the database at " + database.url() + " cannot be used: " + reason(e), e);
        }
    }

    /** One that hangs with the lock is not waited for without end, and is named: its process can be found and ended. */
    private static void awaitTurn(Statement lock, Database database, Duration patience)
            throws SQLException, BadDatabaseException {
        lock.execute("set lock_timeout = " + patience.dividedBy(LOOKS).toMillis());
        for (int look = 1; ; look++) {
            try {
                lock.execute("select pg_advisory_lock(" + ONE_AT_A_TIME + ")");
                lock.execute("set lock_timeout = 0");
                return;
            } catch (SQLException e) {
                if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                    throw e;
                }
                String holder = holder(lock);
                if (look == LOOKS) {
                    throw new BadDatabaseException(
                            "another control plane (" + holder + ") has been bringing the schema of " + database.url()
                                    + " up to date for " + patience.toSeconds()
                                    + " s and does not end: see whether its process hangs, end it, and start again",
                            e);
                }
                LOG.log(
                        Level.WARNING,
                        "waiting for another control plane ({0}) that brings the schema up to date",
                        holder);
            }
        }
    }

    private static String holder(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("""
                select 'backend ' || a.pid || ' of PostgreSQL, from ' || coalesce(host(a.client_addr), 'its own machine')
                from pg_locks l join pg_stat_activity a on a.pid = l.pid
                where l.locktype = 'advisory' and l.granted and l.objsubid = 1
                    and (l.classid::bigint << 32) + l.objid::bigint = %d""".formatted(ONE_AT_A_TIME))) {
            return row.next() ? row.getString(1) : "which has just ended";
        }
    }

    private static void migrate(Database database, SchemaFloor floor) throws BadDatabaseException {
        for (String room : ROOMS) {
            try {
                Flyway flyway = of(database, room).load();
                requireUsable(flyway, room, floor);
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

    /** Whether the connection failed, or the user was refused. */
    private static boolean isAway(@Nullable String sqlState) {
        return sqlState == null || sqlState.startsWith("08") || sqlState.startsWith("28") || sqlState.startsWith("3D");
    }

    /** Flyway itself lets any schema pass that is ahead of it. */
    private static void requireUsable(Flyway flyway, String room, SchemaFloor floor) throws BadDatabaseException {
        int known = 0;
        int newest = 0;
        for (MigrationInfo info : flyway.info().all()) {
            int version = info.getVersion().getMajor().intValueExact();
            newest = Math.max(newest, version);
            if (info.getState().isResolved()) {
                known = Math.max(known, version);
            }
        }
        int least = floor.of(room);
        if (least > known) {
            throw new BadDatabaseException("the schema \"" + room + "\" is of version " + newest
                    + " and needs a control plane that knows version " + least + "; this one knows version " + known
                    + ": use a newer one");
        }
        if (newest > known) {
            LOG.log(
                    Level.INFO,
                    "the schema \"{0}\" is of version {1}, newer than the {2} of this control plane, which can use it",
                    room,
                    newest,
                    known);
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

    /** The message of the database, if there is one. */
    private static String reason(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
