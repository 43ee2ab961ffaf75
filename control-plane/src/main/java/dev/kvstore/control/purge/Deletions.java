package dev.kvstore.control.purge;

import dev.kvstore.accounts.account.StorageRow;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.job.ClaimRule;
import dev.kvstore.control.membership.PlacedWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Deletions of purges in storages, in the database; one data plane at a time works on each. Thread-safe. */
final class Deletions {
    /**
     * How long a claim lasts: a page may take long if storage is slow; it does no harm if
     * two data planes delete the same blocks.
     */
    static final ClaimRule CLAIMS = new ClaimRule("purge_claim", Duration.ofSeconds(30));

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
        StorageRow storage() {
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
            Sql claim = Sql.on(connection, """
                            update purge_region u set %s
                            from (
                                select r.purge, r.region from purge_region r join purge p on p.id = r.purge
                                    cross join (select :region as region) own
                                where p.state = 'DELETING' and not r.done and %s
                                and (r.region = own.region or not exists (
                                    select from lease l join heartbeat h on h.lease = l.id join cluster c on c.name = l.cluster
                                    where c.region = r.region and h.ends_at > :now))
                                and %s and %s
                                order by r.purge, r.region limit 1 for update of r skip locked) due
                            where u.purge = due.purge and u.region = due.region
                            returning u.purge, u.region, u.claim, u.list_cursor""".formatted(
                                    CLAIMS.taken(),
                                    ClaimRule.FREE,
                                    PlacedWork.condition("p.resource_name", "r.region"),
                                    PlacedWork.condition("p.resource_name", "own.region")))
                    .with(holder)
                    .with("now", now);
            return claim.first(row -> new ClaimedDeletion(
                    PurgeRows.find(connection, row.getString("purge"), "").orElseThrow(),
                    row.getString("region"),
                    row.getLong("claim"),
                    row.getString("list_cursor")));
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
            Optional<String> cursor = Sql.on(connection, """
                            select r.list_cursor from purge_region r join purge p on p.id = r.purge
                            where r.purge = :purge and r.region = :region and r.claim = :claim and r.claimed_by = :lease
                            and not r.done and p.state = 'DELETING' for update of r""").with(report).first(String.class);
            if (cursor.isEmpty()) {
                return false;
            }
            // A data plane whose answer was lost reports the part again.
            if (!cursor.get().equals(report.from())) {
                return true;
            }
            keep(connection, report);
            return !report.last();
        });
    }

    private static void keep(Connection connection, DeletionReport report) throws SQLException {
        var _ = Sql.on(connection, """
                        update purge_region set list_cursor = :cursor, done = :last, looked_at = looked_at + :lookedAt,
                            deleted = deleted + :deleted, failed = failed + :failed,
                            flaw = coalesce(nullif(:flaw, ''), flaw), waiting = nullif(:waiting, ''), claimed_until = %s
                        where purge = :purge and region = :region""".formatted(CLAIMS.end())).with(report).run();
    }

    /** Gives up a storage that can no longer be reached, while the claim holds. */
    void giveUp(ClaimedDeletion claimed, String flaw) throws SQLException {
        var _ = Sql.on(database, """
                        update purge_region set done = true, flaw = :flaw
                        where purge = :purge and region = :region and claim = :claim""")
                .with(claimed)
                .with("purge", claimed.job().id())
                .with("flaw", flaw)
                .run();
    }
}
