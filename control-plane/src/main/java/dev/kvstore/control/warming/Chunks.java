package dev.kvstore.control.warming;

import com.google.protobuf.ByteString;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.database.Transactions;
import dev.kvstore.control.membership.PlacedWork;
import dev.kvstore.control.warming.block.BlockOutcomes;
import dev.kvstore.control.warming.block.PackedChunk;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Chunks of warmings in the database. One data plane at a time claims a chunk and reports it block by block. All times
 * are of the database's clock. Thread-safe.
 */
final class Chunks {
    /**
     * The time for which a claim lasts without a report. A data plane reports every second, and may be away for a
     * while. Tests of whole stacks set the property, to wait less.
     */
    static final Duration CLAIM = Duration.ofSeconds(Long.getLong("dev.kvstore.test.claim.seconds", 15));

    private final DataSource database;

    Chunks(DataSource database) {
        this.database = database;
    }

    /**
     * A claimed chunk.
     *
     * @param done number of blocks that are done, from the first on
     * @param claims number of data planes that work on the warming, this one among them
     */
    record ClaimedChunk(Warming job, int number, PackedChunk blocks, int done, long claim, int claims) {}

    /**
     * Claims a chunk for a data plane: of the warming into its region on which the fewest data planes work, of those
     * that {@link PlacedWork} allows.
     */
    Optional<ClaimedChunk> claim(LeaseHolder holder, List<String> except) throws SQLException {
        for (WarmingCandidate candidate : candidates(holder, except)) {
            Optional<ClaimedChunk> claimed =
                    Transactions.run(database, connection -> claim(connection, candidate, holder.lease()));
            if (claimed.isPresent()) {
                return claimed;
            }
        }
        return Optional.empty();
    }

    private record WarmingCandidate(String id, int claims) {}

    private List<WarmingCandidate> candidates(LeaseHolder holder, List<String> except) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(
                        """
                select id, bytes_per_second, (select count(*) from warming_chunk c
                    where c.warming = w.id and not c.done and c.claimed_until > now()) as claims
                from warming w where target = ? and state = 'RUNNING' and not id = any(?) and %s
                order by claims, id limit 64""".formatted(PlacedWork.condition("w.resource_name", "w.target")))) {
            select.setString(1, holder.region());
            select.setArray(2, connection.createArrayOf("text", except.toArray()));
            select.setString(3, holder.cluster());
            List<WarmingCandidate> candidates = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    int claims = row.getInt(3);
                    if (claims < new Warming.Budget(row.getLong(2), 1).claims()) {
                        candidates.add(new WarmingCandidate(row.getString(1), claims));
                    }
                }
            }
            return candidates;
        }
    }

    private static Optional<ClaimedChunk> claim(Connection connection, WarmingCandidate candidate, UUID lease)
            throws SQLException {
        Optional<Warming> job = LockedWarming.of(connection, candidate.id()).map(LockedWarming::job);
        if (job.isEmpty() || job.get().state() != WarmingState.RUNNING) {
            return Optional.empty();
        }
        try (PreparedStatement update = connection.prepareStatement("""
                update warming_chunk set claim = nextval('warming_claim'), claimed_until = now() + ?, claimed_by = ?,
                    bytes_per_second = 0, waiting = ''
                where warming = ? and number = (
                    select number from warming_chunk
                    where warming = ? and not done and (claimed_until is null or claimed_until <= now())
                    order by number limit 1)
                returning number, blocks, length(outcomes), claim""")) {
            update.setObject(1, CLAIM.toSeconds() + " s", java.sql.Types.OTHER);
            update.setObject(2, lease);
            update.setString(3, candidate.id());
            update.setString(4, candidate.id());
            try (ResultSet row = update.executeQuery()) {
                return row.next()
                        ? Optional.of(new ClaimedChunk(
                                job.get(),
                                row.getInt(1),
                                PackedChunk.of(row.getBytes(2)),
                                row.getInt(3),
                                row.getLong(4),
                                candidate.claims() + 1))
                        : Optional.empty();
            }
        }
    }

    /**
     * The report of a data plane on its chunk.
     *
     * @param lease the lease of the data plane
     * @param from the block that the first of {@code outcomes} belongs to
     * @param failures the reasons, by block
     * @param givenBack whether the data plane gives the chunk back
     */
    record ChunkProgress(
            UUID lease,
            String warming,
            int chunk,
            long claim,
            int from,
            ByteString outcomes,
            Map<Integer, String> failures,
            long bytesPerSecond,
            String waiting,
            boolean givenBack) {}

    private record ChunkRow(PackedChunk blocks, int done) {}

    /**
     * Records the new part of a report, and renews the claim.
     *
     * @return the data plane's budget from now on; empty if its claim is over
     * @throws AnothersClaim if the claim is another process's; the report is dropped
     * @throws IllegalArgumentException if the report leaves blocks out, or has more than there are
     */
    Optional<Warming.Budget> report(ChunkProgress progress) throws SQLException {
        return Transactions.run(database, connection -> {
            Optional<LockedWarming> warming = LockedWarming.of(connection, progress.warming());
            ChunkRow row = warming.isEmpty() ? null : row(connection, progress);
            if (warming.isEmpty() || row == null) {
                return Optional.empty();
            }
            int known = row.done();
            int end = progress.from() + progress.outcomes().size();
            if (progress.from() > known || end > row.blocks().size()) {
                throw new IllegalArgumentException(
                        "a report of blocks %d to %d, of which %d are known, in a chunk of %d"
                                .formatted(
                                        progress.from(),
                                        end,
                                        known,
                                        row.blocks().size()));
            }
            ByteString news =
                    end <= known ? ByteString.EMPTY : progress.outcomes().substring(known - progress.from());
            boolean done = known + news.size() == row.blocks().size();
            renew(connection, progress, news, done);
            keepFailures(connection, progress, known);
            tally(connection, progress.warming(), row, news);
            if (done && !hasOpen(connection, progress.warming())) {
                end(connection, warming.get());
            }
            WarmingState state = warming.get().job().state();
            if (done || progress.givenBack() || state != WarmingState.RUNNING) {
                return Optional.empty();
            }
            return Optional.of(share(connection, progress.warming()));
        });
    }

    /** The chunk, if the reporter still has its claim; null otherwise. */
    private static @Nullable ChunkRow row(Connection connection, ChunkProgress progress) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                select blocks, length(outcomes), claimed_by from warming_chunk
                where warming = ? and number = ? and claim = ? and claim > 0 and not done""")) {
            select.setString(1, progress.warming());
            select.setInt(2, progress.chunk());
            select.setLong(3, progress.claim());
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                if (!progress.lease().equals(row.getObject("claimed_by", UUID.class))) {
                    throw new AnothersClaim(progress.warming());
                }
                return new ChunkRow(PackedChunk.of(row.getBytes(1)), row.getInt(2));
            }
        }
    }

    /** Renews a claim. A late claim is renewed, too, if no other data plane has claimed the chunk. */
    private static void renew(Connection connection, ChunkProgress progress, ByteString news, boolean done)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                update warming_chunk set outcomes = outcomes || ?, done = ?, bytes_per_second = ?, waiting = ?,
                    claimed_until = case when ? then null else now() + ? end
                where warming = ? and number = ?""")) {
            update.setBytes(1, news.toByteArray());
            update.setBoolean(2, done);
            update.setLong(3, progress.bytesPerSecond());
            update.setString(4, progress.waiting());
            update.setBoolean(5, done || progress.givenBack());
            update.setObject(6, CLAIM.toSeconds() + " s", java.sql.Types.OTHER);
            update.setString(7, progress.warming());
            update.setInt(8, progress.chunk());
            update.executeUpdate();
        }
    }

    private static void keepFailures(Connection connection, ChunkProgress progress, int known) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into warming_failure (warming, chunk, block, reason) values (?, ?, ?, ?) on conflict do nothing")) {
            for (int i = Math.max(known, progress.from());
                    i < progress.from() + progress.outcomes().size();
                    i++) {
                if (progress.outcomes().byteAt(i - progress.from()) == BlockOutcomes.FAILED) {
                    insert.setString(1, progress.warming());
                    insert.setInt(2, progress.chunk());
                    insert.setInt(3, i);
                    insert.setString(4, progress.failures().getOrDefault(i, "no reason was given"));
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }

    /** Adds the outcomes of blocks to the warming. */
    private static void tally(Connection connection, String warming, ChunkRow row, ByteString news)
            throws SQLException {
        long[] blocks = new long[BlockOutcomes.FAILED + 1];
        long[] bytes = new long[BlockOutcomes.FAILED + 1];
        for (int i = 0; i < news.size(); i++) {
            blocks[news.byteAt(i)]++;
            bytes[news.byteAt(i)] += row.blocks().block(row.done() + i).bytes();
        }
        try (PreparedStatement update = connection.prepareStatement("""
                update warming set copied = copied + ?, copied_bytes = copied_bytes + ?, present = present + ?,
                    present_bytes = present_bytes + ?, failed = failed + ?, failed_bytes = failed_bytes + ?
                where id = ?""")) {
            update.setLong(1, blocks[BlockOutcomes.COPIED]);
            update.setLong(2, bytes[BlockOutcomes.COPIED]);
            update.setLong(3, blocks[BlockOutcomes.PRESENT]);
            update.setLong(4, bytes[BlockOutcomes.PRESENT]);
            update.setLong(5, blocks[BlockOutcomes.FAILED]);
            update.setLong(6, bytes[BlockOutcomes.FAILED]);
            update.setString(7, warming);
            update.executeUpdate();
        }
    }

    /** Ends the round when its last chunk is done. Does nothing if the round has ended already. */
    private static void end(Connection connection, LockedWarming warming) throws SQLException {
        if (warming.job().planned()) {
            boolean failed = JobRows.find(connection, warming.job().id(), "")
                            .orElseThrow()
                            .tally()
                            .failed()
                            .blocks()
                    > 0;
            warming.endRound(failed ? WarmingState.PARTIAL : WarmingState.DONE, null, true);
        }
    }

    private static boolean hasOpen(Connection connection, String warming) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "select exists (select from warming_chunk where warming = ? and not done)")) {
            select.setString(1, warming);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private static Warming.Budget share(Connection connection, String warming) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                select bytes_per_second, requests_per_second, (select count(*) from warming_chunk c
                    where c.warming = w.id and not c.done and c.claimed_until > now())
                from warming w where id = ?""")) {
            select.setString(1, warming);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return new Warming.Budget(row.getLong(1), row.getInt(2)).share(row.getInt(3));
            }
        }
    }
}
