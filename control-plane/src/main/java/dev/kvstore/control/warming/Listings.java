package dev.kvstore.control.warming;

import com.google.protobuf.ByteString;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.job.AnothersClaim;
import dev.kvstore.control.job.ClaimRule;
import dev.kvstore.control.membership.PlacedWork;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Keeps in the database the warmings for which a process lists the stored blocks, until all blocks are known.
 * Thread-safe.
 */
@Singleton
final class Listings {
    private final DataSource database;

    Listings(DataSource database) {
        this.database = database;
    }

    /**
     * A listing that a process has claimed.
     *
     * @param cursor the position at which the listing continues
     */
    record ClaimedListing(Warming job, String cursor, long claim) {}

    /**
     * Claims a listing that no process works on, for a warming into the region of the process, as {@link PlacedWork}
     * allows.
     */
    Optional<ClaimedListing> claim(LeaseHolder holder, List<String> except) throws SQLException {
        return Transactions.run(database, connection -> {
            Sql claim = Sql.on(connection, """
                            update warming set %s
                            where id = (
                                select id from warming w where target = :region and state = 'PLANNING' and listing
                                and not listed and not id = any(:except) and %s and %s
                                order by id limit 1 for update skip locked)
                            returning id, list_cursor, claim""".formatted(
                            Chunks.CLAIMS.taken(), ClaimRule.FREE, PlacedWork.condition("w.resource_name", "w.target")))
                    .with(holder)
                    .array("except", "text", except);
            return claim.first(row -> new ClaimedListing(
                    JobRows.find(connection, row.getString("id"), "").orElseThrow(),
                    row.getString("list_cursor"),
                    row.getLong("claim")));
        });
    }

    /**
     * Blocks that were found.
     *
     * @param name root and hash, 64 bytes
     * @param rank the order in which blocks are copied, the lowest first
     */
    record ListedBlocks(ByteString name, long bytes, long rank) {}

    /**
     * A process' report about a listing that it claimed.
     *
     * @param lease the lease of the process
     * @param from the position at which this part began
     * @param cursor the position at which the next part begins
     * @param last whether this part is the last
     * @param flaw why no more can be listed; empty if more can be
     */
    record ListingProgress(
            UUID lease,
            String warming,
            long claim,
            String from,
            List<ListedBlocks> found,
            String cursor,
            boolean last,
            String flaw) {}

    /**
     * Keeps a part, and renews the claim.
     *
     * @return the budget of the process from now on; empty if its claim is over
     * @throws AnothersClaim if the claim is another process's; the part is dropped
     */
    Optional<Warming.Budget> report(ListingProgress progress) throws SQLException {
        return Transactions.run(database, connection -> {
            Optional<String> cursor = lock(connection, progress);
            if (cursor.isEmpty()) {
                return Optional.empty();
            }
            if (!progress.flaw().isEmpty()) {
                LockedWarming.of(connection, progress.warming())
                        .orElseThrow()
                        .endRound(WarmingState.FAILED, progress.flaw(), false);
                return Optional.empty();
            }
            // A process whose answer was lost reports the part again.
            if (progress.from().equals(cursor.get())) {
                keep(connection, progress);
                advance(connection, progress);
            }
            return progress.last()
                    ? Optional.empty()
                    : JobRows.find(connection, progress.warming(), "").map(Warming::budget);
        });
    }

    private static Optional<String> lock(Connection connection, ListingProgress progress) throws SQLException {
        Sql claimed = Sql.on(connection, """
                        select list_cursor, claimed_by from warming
                        where id = :warming and claim = :claim and state = 'PLANNING' and not listed for update""").with(progress);
        return ClaimRule.held(
                claimed, progress.lease(), "warming " + progress.warming(), row -> row.getString("list_cursor"));
    }

    @SuppressWarnings("ArrayRecordComponent") // Nothing compares rows of a batch.
    private record FoundRow(byte[] name, long bytes, long rank) {}

    private static void keep(Connection connection, ListingProgress progress) throws SQLException {
        Sql.on(
                        connection,
                        "insert into warming_found (warming, rank, bytes, name) values (:warming, :rank, :bytes, :name)")
                .with(progress)
                .runEach(progress.found().stream()
                        .map(found -> new FoundRow(found.name().toByteArray(), found.bytes(), found.rank()))
                        .toList());
    }

    private static void advance(Connection connection, ListingProgress progress) throws SQLException {
        var _ = Sql.on(connection, """
                        update warming set list_cursor = :cursor, listed = :last, claimed_until = %s,
                            blocks = blocks + :count, bytes = bytes + :bytes where id = :warming""".formatted(Chunks.CLAIMS.end()))
                .with(progress)
                .with("count", (long) progress.found().size())
                .with(
                        "bytes",
                        progress.found().stream().mapToLong(ListedBlocks::bytes).sum())
                .run();
    }
}
