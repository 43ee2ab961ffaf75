package dev.kvstore.control.warming;

import com.google.protobuf.ByteString;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.database.Transactions;
import dev.kvstore.control.membership.PlacedWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Keeps in the database the warmings for which a process lists the stored blocks, until all blocks are known.
 * Thread-safe.
 */
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
            try (PreparedStatement update =
                    connection.prepareStatement("""
                    update warming set claim = nextval('warming_claim'), claimed_until = now() + ?, claimed_by = ?
                    where id = (
                        select id from warming w
                        where target = ? and state = 'PLANNING' and listing and not listed and not id = any(?)
                        and (claimed_until is null or claimed_until <= now()) and %s
                        order by id limit 1 for update skip locked)
                    returning id, list_cursor, claim""".formatted(PlacedWork.condition("w.resource_name", "w.target")))) {
                update.setObject(1, Chunks.CLAIM.toSeconds() + " s", Types.OTHER);
                update.setObject(2, holder.lease());
                update.setString(3, holder.region());
                update.setArray(4, connection.createArrayOf("text", except.toArray()));
                update.setString(5, holder.cluster());
                try (ResultSet row = update.executeQuery()) {
                    if (!row.next()) {
                        return Optional.empty();
                    }
                    Warming job = JobRows.find(connection, row.getString(1), "").orElseThrow();
                    return Optional.of(new ClaimedListing(job, row.getString(2), row.getLong(3)));
                }
            }
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
        try (PreparedStatement select = connection.prepareStatement("""
                select list_cursor, claimed_by from warming where id = ? and claim = ? and state = 'PLANNING' and not listed
                for update""")) {
            select.setString(1, progress.warming());
            select.setLong(2, progress.claim());
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                if (!progress.lease().equals(row.getObject("claimed_by", UUID.class))) {
                    throw new AnothersClaim(progress.warming());
                }
                return Optional.of(row.getString(1));
            }
        }
    }

    private static void keep(Connection connection, ListingProgress progress) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into warming_found (warming, rank, bytes, name) values (?, ?, ?, ?)")) {
            for (ListedBlocks found : progress.found()) {
                insert.setString(1, progress.warming());
                insert.setLong(2, found.rank());
                insert.setLong(3, found.bytes());
                insert.setBytes(4, found.name().toByteArray());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void advance(Connection connection, ListingProgress progress) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                update warming set list_cursor = ?, listed = ?, claimed_until = now() + ?,
                    blocks = blocks + ?, bytes = bytes + ? where id = ?""")) {
            update.setString(1, progress.cursor());
            update.setBoolean(2, progress.last());
            update.setObject(3, Chunks.CLAIM.toSeconds() + " s", Types.OTHER);
            update.setLong(4, progress.found().size());
            update.setLong(
                    5, progress.found().stream().mapToLong(ListedBlocks::bytes).sum());
            update.setString(6, progress.warming());
            update.executeUpdate();
        }
    }
}
