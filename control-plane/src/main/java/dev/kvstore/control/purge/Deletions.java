package dev.kvstore.control.purge;

import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.database.Transactions;
import dev.kvstore.control.membership.PlacedWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Deletions of purges in storages, in the database; one data plane at a time works on each. Thread-safe. */
final class Deletions {
    /**
     * The time for which a claim lasts without a report. A page may take long if storage is slow; it does no harm if
     * two data planes delete the same blocks.
     */
    static final Duration CLAIM = Duration.ofSeconds(30);

    private final DataSource database;

    Deletions(DataSource database) {
        this.database = database;
    }

    /**
     * A claimed deletion.
     *
     * @param cursor where the deletion continues
     */
    record ClaimedDeletion(PurgeJob job, String region, long claim, String cursor) {
        /** The storage when the purge was made. */
        Resolved.Storage storage() {
            return job.regions().stream()
                    .filter(each -> each.region().equals(region))
                    .findFirst()
                    .orElseThrow()
                    .storage();
        }
    }

    /**
     * A storage without a claim, in the data plane's region or in one without data planes. {@link PlacedWork} has to
     * allow the data plane's cluster in both regions.
     *
     * @param now by the clock of leases
     */
    Optional<ClaimedDeletion> claim(LeaseHolder holder, Instant now) throws SQLException {
        return Transactions.run(database, connection -> {
            try (PreparedStatement update = connection.prepareStatement("""
                    update purge_region u set claim = nextval('purge_claim'), claimed_by = ?,
                        claimed_until = now() + make_interval(secs => ?)
                    from (
                        select r.purge, r.region from purge_region r join purge p on p.id = r.purge
                            cross join (select ? as region) own
                        where p.state = 'DELETING' and not r.done
                        and (r.claimed_until is null or r.claimed_until <= now())
                        and (r.region = own.region or not exists (
                            select from lease l join heartbeat h on h.lease = l.id join cluster c on c.name = l.cluster
                            where c.region = r.region and h.ends_at > ?))
                        and %s and %s
                        order by r.purge, r.region limit 1 for update of r skip locked) due
                    where u.purge = due.purge and u.region = due.region
                    returning u.purge, u.region, u.claim, u.list_cursor""".formatted(
                            PlacedWork.condition("p.resource_name", "r.region"),
                            PlacedWork.condition("p.resource_name", "own.region")))) {
                update.setObject(1, holder.lease());
                update.setDouble(2, (double) CLAIM.toSeconds());
                update.setString(3, holder.region());
                update.setTimestamp(4, Timestamp.from(now));
                update.setString(5, holder.cluster());
                update.setString(6, holder.cluster());
                try (ResultSet row = update.executeQuery()) {
                    if (!row.next()) {
                        return Optional.empty();
                    }
                    PurgeJob job =
                            PurgeRows.find(connection, row.getString(1), "").orElseThrow();
                    return Optional.of(new ClaimedDeletion(job, row.getString(2), row.getLong(3), row.getString(4)));
                }
            }
        });
    }

    /**
     * The progress of a deletion, as the process that claimed it reports.
     *
     * @param from the position at which this part began
     * @param cursor the position at which the next part begins
     * @param last whether this part is the last
     * @param flaw why something failed; empty if nothing did
     * @param waiting the reason for waiting; empty if the data plane does not wait
     */
    record DeletionReport(
            UUID lease,
            String purge,
            String region,
            long claim,
            String from,
            String cursor,
            boolean last,
            long lookedAt,
            long deleted,
            long failed,
            String flaw,
            String waiting) {}

    /**
     * Counts a part, and renews the claim.
     *
     * @return whether the process may go on
     */
    boolean report(DeletionReport report) throws SQLException {
        return Transactions.run(database, connection -> {
            try (PreparedStatement select = connection.prepareStatement("""
                    select r.list_cursor from purge_region r join purge p on p.id = r.purge
                    where r.purge = ? and r.region = ? and r.claim = ? and r.claimed_by = ? and not r.done
                    and p.state = 'DELETING' for update of r""")) {
                select.setString(1, report.purge());
                select.setString(2, report.region());
                select.setLong(3, report.claim());
                select.setObject(4, report.lease());
                try (ResultSet row = select.executeQuery()) {
                    if (!row.next()) {
                        return false;
                    }
                    // A data plane whose answer was lost reports the part again.
                    if (!row.getString(1).equals(report.from())) {
                        return true;
                    }
                }
            }
            keep(connection, report);
            return !report.last();
        });
    }

    private static void keep(Connection connection, DeletionReport report) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                update purge_region set list_cursor = ?, done = ?, looked_at = looked_at + ?, deleted = deleted + ?,
                    failed = failed + ?, flaw = coalesce(nullif(?, ''), flaw), waiting = nullif(?, ''),
                    claimed_until = now() + make_interval(secs => ?)
                where purge = ? and region = ?""")) {
            update.setString(1, report.cursor());
            update.setBoolean(2, report.last());
            update.setLong(3, report.lookedAt());
            update.setLong(4, report.deleted());
            update.setLong(5, report.failed());
            update.setString(6, report.flaw());
            update.setString(7, report.waiting());
            update.setDouble(8, (double) CLAIM.toSeconds());
            update.setString(9, report.purge());
            update.setString(10, report.region());
            update.executeUpdate();
        }
    }

    /** Gives up a storage that can no longer be reached, while the claim holds. */
    void giveUp(ClaimedDeletion claimed, String flaw) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement update = connection.prepareStatement(
                        "update purge_region set done = true, flaw = ? where purge = ? and region = ? and claim = ?")) {
            update.setString(1, flaw);
            update.setString(2, claimed.job().id());
            update.setString(3, claimed.region());
            update.setLong(4, claimed.claim());
            update.executeUpdate();
        }
    }
}
