package dev.kvstore.control.purge;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/**
 * Moves purges from telling to deleting to forgetting to the end; any control plane may do a step. Every data plane
 * with a lease must confirm that it knows of the purge, and later that it has forgotten the blocks; otherwise it leaves
 * all routes. A data plane without a lease must confirm before it gets into routes ({@link PurgeConfirmations}).
 * Thread-safe.
 */
final class PurgeSteps {
    /** Most purges that are moved at a time, the oldest first. */
    private static final int MOST = 1_000;

    private static final String OLDEST = "where ended_at is null order by id limit :most for update";

    /** Most data planes that a line of the log names. */
    private static final int MOST_NAMED = 10;

    private static final Logger LOG = System.getLogger(PurgeSteps.class.getName());

    private final DataSource database;

    PurgeSteps(DataSource database) {
        this.database = database;
    }

    /**
     * The purges that data planes must know.
     *
     * @param latest version of all purges; 0 if there are none
     * @param open whether any purge is under way
     */
    record OpenPurges(long latest, boolean open) {}

    OpenPurges standing() throws SQLException {
        return Sql.on(database, """
                        select coalesce((select max(version) from purge), 0) as latest,
                            exists (select from purge where ended_at is null) as open""").only(OpenPurges.class);
    }

    /**
     * Moves each purge that can go on to its next state.
     *
     * @param now by the clock of leases
     */
    void advance(Instant now) throws SQLException {
        var _ = Transactions.run(database, connection -> {
            PurgeJobs.lockVersions(connection);
            PurgeConfirmations.look(connection);
            for (PurgeJob job : PurgeRows.all(connection, OLDEST, sql -> sql.with("most", MOST))) {
                switch (job.state()) {
                    case TELLING -> {
                        if (isConfirmed(connection, job, now)) {
                            PurgeJobs.change(connection, job.id(), PurgeState.DELETING);
                        }
                    }
                    case DELETING -> {
                        if (job.regions().stream().allMatch(PurgeJob.RegionPurge::done)) {
                            PurgeJobs.change(connection, job.id(), PurgeState.FORGETTING);
                        }
                    }
                    case FORGETTING -> {
                        if (isConfirmed(connection, job, now)) {
                            PurgeJobs.change(connection, job.id(), end(job));
                        }
                    }
                    case DONE, PARTIAL, CANCELLED -> {}
                }
            }
            return true;
        });
    }

    /** Whether every data plane has confirmed the purge or is in no route any more. */
    private static boolean isConfirmed(Connection connection, PurgeJob job, Instant now) throws SQLException {
        return switch (PurgeConfirmations.turn(connection, job, now)) {
            case GOES_ON -> {
                PurgeConfirmations.leave(connection, job);
                yield true;
            }
            case WAITS -> false;
            case LEAVES -> {
                LOG.log(
                        Level.WARNING,
                        "the purge {0} no longer waits {1}. They are in no route until they confirm it.",
                        job.id(),
                        PurgeConfirmations.unconfirmed(connection, job, now, MOST_NAMED)
                                .text(true));
                PurgeConfirmations.leave(connection, job);
                yield false;
            }
        };
    }

    private static PurgeState end(PurgeJob job) {
        return job.regions().stream().anyMatch(region -> region.failed() > 0 || region.flaw() != null)
                ? PurgeState.PARTIAL
                : PurgeState.DONE;
    }

    /** Purges that have changed since a version, in the order of their changes. */
    List<PurgeJob> since(long version, int limit) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return PurgeRows.all(
                    connection,
                    "where version > :version order by version limit :limit",
                    sql -> sql.with("version", version).with("limit", limit));
        }
    }
}
