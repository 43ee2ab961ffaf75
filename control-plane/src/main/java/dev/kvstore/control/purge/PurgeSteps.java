package dev.kvstore.control.purge;

import dev.kvstore.control.database.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Moves purges from telling to deleting to forgetting to the end; any control plane may do a step. Every data plane
 * with a lease must confirm that it knows of the purge, and that it has forgotten the blocks; one without a lease
 * begins with all purges when it joins. Thread-safe.
 */
final class PurgeSteps {
    /** Most purges that are moved at a time, the oldest first. */
    private static final int MOST = 1_000;

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
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                        select coalesce((select max(version) from purge), 0),
                            exists (select from purge where ended_at is null)""");
                ResultSet row = select.executeQuery()) {
            row.next();
            return new OpenPurges(row.getLong(1), row.getBoolean(2));
        }
    }

    /**
     * Moves each purge that can go on.
     *
     * @param now by the clock of leases
     */
    void advance(Instant now) throws SQLException {
        var _ = Transactions.run(database, connection -> {
            PurgeJobs.lockVersions(connection);
            for (PurgeJob job :
                    PurgeRows.all(connection, "where p.ended_at is null order by p.id limit ? for update", MOST)) {
                switch (job.state()) {
                    case TELLING -> {
                        if (late(connection, job, now, 1).isEmpty()) {
                            PurgeJobs.change(connection, job.id(), PurgeState.DELETING);
                        }
                    }
                    case DELETING -> {
                        if (job.regions().stream().allMatch(PurgeJob.RegionPurge::done)) {
                            PurgeJobs.change(connection, job.id(), PurgeState.FORGETTING);
                        }
                    }
                    case FORGETTING -> {
                        if (late(connection, job, now, 1).isEmpty()) {
                            PurgeJobs.change(connection, job.id(), end(job));
                        }
                    }
                    case DONE, PARTIAL, CANCELLED -> {}
                }
            }
            return true;
        });
    }

    private static PurgeState end(PurgeJob job) {
        return job.regions().stream().anyMatch(region -> region.failed() > 0 || region.flaw() != null)
                ? PurgeState.PARTIAL
                : PurgeState.DONE;
    }

    /** Data planes with leases that have not confirmed the present step of a purge. */
    List<String> late(PurgeJob job, Instant now, int limit) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return late(connection, job, now, limit);
        }
    }

    private static List<String> late(Connection connection, PurgeJob job, Instant now, int limit) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                select l.cluster || '/' || l.process from lease l join heartbeat h on h.lease = l.id
                left join purge_follower f on f.lease = l.id
                where h.ends_at > ? and coalesce(f.done, -1) < ? order by 1 limit ?""")) {
            select.setTimestamp(1, Timestamp.from(now));
            select.setLong(2, job.version());
            select.setInt(3, limit);
            List<String> late = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    late.add(row.getString(1));
                }
            }
            return late;
        }
    }

    /** A data plane confirms all purges up to a version. */
    void done(UUID lease, long version) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement upsert = connection.prepareStatement("""
                        insert into purge_follower as f (lease, done) values (?, ?)
                        on conflict (lease) do update set done = excluded.done where f.done < excluded.done""")) {
            upsert.setObject(1, lease);
            upsert.setLong(2, version);
            upsert.executeUpdate();
        }
    }

    /** Purges that have changed since a version, in the order of their changes. */
    List<PurgeJob> since(long version, int limit) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return PurgeRows.all(connection, "where p.version > ? order by p.version limit ?", version, limit);
        }
    }
}
