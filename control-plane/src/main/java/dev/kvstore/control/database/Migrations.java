package dev.kvstore.control.database;

import dev.kvstore.admin.database.Sql;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;

/**
 * Brings the schema up to what this version needs. Each registry, warming and purging have migrations and a history of
 * their own. Several replicas may migrate at once: one does the work, the others wait. A schema that is ahead of this
 * version is used as it is, unless {@link SchemaFloor} says that this version cannot. Stateless.
 */
public final class Migrations {
    private static final System.Logger LOG = System.getLogger(Migrations.class.getName());

    /**
     * Flyway logs each attempt that failed as an error; this class decides which of them are errors, and logs these.
     */
    private static final Logger ATTEMPTS = Logger.getLogger("org.flywaydb.core.internal.command.DbMigrate");

    static {
        ATTEMPTS.setLevel(java.util.logging.Level.OFF);
    }

    private static final List<String> ROOMS = List.of("change", "account", "cluster", "warming", "purge");

    /** The number of the lock: any number that nothing else in this database locks. */
    static final long ONE_AT_A_TIME = 0x6b76_736d_6967_7261L;

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DEADLOCK = "40P01";
    private static final String NO_ANSWER = "08000";

    /** SQL states of a user without the right, and of a database without a schema in which the user may do anything. */
    private static final Set<String> NOT_ALLOWED = Set.of("42501", "3F000");

    /** The time to wait for another migration: far more than the longest migration takes. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /**
     * The number of waits into which {@link #PATIENCE} is divided; after each the log names the process that is waited
     * for.
     */
    private static final int LOOKS = 10;

    /**
     * The longest wait of a migration for a table. Later queries of that table, also those of running replicas, wait
     * behind the migration and give up after 3 s.
     */
    private static final Duration TABLE_WAIT = Duration.ofSeconds(1);

    private static final Duration PAUSE = TABLE_WAIT.multipliedBy(4);

    private Migrations() {}

    /**
     * Migrates forward.
     *
     * @throws BadDatabaseException if the database cannot be reached or is behind a pooler that shares sessions, needs
     *     a newer version, or a migration fails; the steps of that migration are undone
     */
    public static void run(Database database) throws BadDatabaseException {
        run(database, PATIENCE);
    }

    /** @param patience the longest wait for another process that migrates now, or keeps a table locked */
    static void run(Database database, Duration patience) throws BadDatabaseException {
        try {
            Pooler.refuse(database);
            try (Connection connection = DriverManager.getConnection(database.url(), database.properties());
                    Statement lock = connection.createStatement()) {
                connection.setAutoCommit(false);
                // Flyway takes its own lock only after it has made its table, where two processes that start at once
                // collide.
                awaitTurn(lock, database, patience);
                migrate(database, floor(database), patience);
                connection.commit();
            }
        } catch (SQLException e) {
            throw NOT_ALLOWED.contains(sqlState(e))
                    ? notAllowed(database, reason(e), e)
                    : unusable(database, reason(e), e);
        }
    }

    private static SchemaFloor floor(Database database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url(), database.properties());
                Statement statement = connection.createStatement()) {
            SchemaFloor.make(statement);
            return SchemaFloor.read(statement);
        }
    }

    private static BadDatabaseException unusable(Database database, String reason, Exception e) {
        return new BadDatabaseException("the database at " + database.url() + " cannot be used: " + reason, e);
    }

    /**
     * Waits for the lock for a bounded time. The error names the process that has it, so that an operator can end that
     * process.
     */
    private static void awaitTurn(Statement lock, Database database, Duration patience)
            throws SQLException, BadDatabaseException {
        Connection connection = lock.getConnection();
        for (int look = 1; ; look++) {
            try {
                lock.execute(
                        "set local lock_timeout = " + patience.dividedBy(LOOKS).toMillis());
                // The transaction that has the lock does nothing while others migrate for it.
                lock.execute("set local idle_in_transaction_session_timeout = 0");
                lock.execute("select pg_advisory_xact_lock(" + ONE_AT_A_TIME + ")");
                return;
            } catch (SQLException e) {
                connection.rollback();
                if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                    throw e;
                }
                String holder = holder(connection);
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

    private static String holder(Connection connection) throws SQLException {
        return Sql.on(connection, """
                        select 'backend ' || a.pid || ' of PostgreSQL, from '
                            || coalesce(host(a.client_addr), 'its own machine')
                        from pg_locks l join pg_stat_activity a on a.pid = l.pid
                        where l.locktype = 'advisory' and l.granted and l.objsubid = 1
                            and (l.classid::bigint << 32) + l.objid::bigint = :order""")
                .with("order", ONE_AT_A_TIME)
                .first(String.class)
                .orElse("which has just ended");
    }

    private static void migrate(Database database, SchemaFloor floor, Duration patience) throws BadDatabaseException {
        long end = System.nanoTime() + patience.toNanos();
        for (String room : ROOMS) {
            try {
                Flyway flyway = of(database, room).load();
                requireUsable(flyway, room, floor);
                while (!isMigrated(flyway, room, end)) {
                    Thread.sleep(PAUSE);
                }
            } catch (FlywayValidateException e) {
                throw new BadDatabaseException(
                        "the schema \"" + room + "\" is not one that this version made: " + reason(e)
                                + ". Use the version that made it, or a newer one",
                        e);
            } catch (FlywayException e) {
                throw failed(database, room, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new BadDatabaseException("the schema \"" + room + "\" was not migrated: interrupted", e);
            }
        }
    }

    /**
     * Migrates, unless another session keeps a table locked. Between two attempts the queries that wait behind this one
     * go first.
     */
    private static boolean isMigrated(Flyway flyway, String room, long end) {
        try {
            flyway.migrate();
            return true;
        } catch (FlywayException e) {
            String state = sqlState(e);
            if (!(LOCK_NOT_AVAILABLE.equals(state) || DEADLOCK.equals(state)) || System.nanoTime() > end) {
                throw e;
            }
            LOG.log(
                    Level.WARNING,
                    "the schema \"{0}\" is migrated later: a transaction that is open keeps a table ({1})",
                    room,
                    reason(e));
            return false;
        }
    }

    private static BadDatabaseException failed(Database database, String room, FlywayException e) {
        String reason = reason(e);
        String state = sqlState(e);
        if (LOCK_NOT_AVAILABLE.equals(state)) {
            return new BadDatabaseException(
                    "the schema \"" + room + "\" could not be migrated: a transaction that does not end keeps a table."
                            + " Find it by \"select pid, xact_start, query from pg_stat_activity order by xact_start\","
                            + " end it, and start again",
                    e);
        }
        if (NOT_ALLOWED.contains(state)) {
            return notAllowed(database, reason, e);
        }
        return isAway(state)
                ? unusable(database, reason, e)
                : new BadDatabaseException(
                        "the schema \"" + room + "\" could not be migrated: " + reason
                                + ". Nothing of that step was kept; put it right and start again",
                        e);
    }

    private static BadDatabaseException notAllowed(Database database, String reason, Exception e) {
        return new BadDatabaseException(
                "the user \"" + database.user() + "\" may not make or change tables in the database at "
                        + database.url() + " (" + reason + "): have an administrator run: grant usage, create on schema"
                        + " public to \"" + database.user() + "\"; tables that are there must be that user's own",
                e);
    }

    /** The SQL state of a failure; empty if the failure is not the database's. */
    private static String sqlState(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return Objects.requireNonNullElse(sql.getSQLState(), NO_ANSWER);
            }
        }
        return "";
    }

    /** Whether the connection failed, or the user was refused. */
    private static boolean isAway(String sqlState) {
        return sqlState.startsWith("08") || sqlState.startsWith("28") || sqlState.startsWith("3D");
    }

    /** Refuses a schema that this version cannot use. Flyway accepts any schema that is newer than itself. */
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
                .jdbcProperties(
                        database.keyPassword().isEmpty() ? Map.of() : Map.of("sslpassword", database.keyPassword()))
                .dataSource(database.url(), database.user(), database.password())
                .initSql("set lock_timeout = " + TABLE_WAIT.toMillis())
                .table("history_of_" + room)
                .locations("classpath:db/" + room)
                // The tables of the other schemas exist already.
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
