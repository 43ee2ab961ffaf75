package dev.kvstore.control.warming;

import com.google.protobuf.ByteString;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.job.AnothersClaim;
import dev.kvstore.control.job.ClaimRule;
import dev.kvstore.control.membership.PlacedWork;
import dev.kvstore.control.warming.block.BlockOutcomes;
import dev.kvstore.control.warming.block.PackedChunk;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Chunks of warmings in the database. One data plane at a time claims a chunk and reports it block by block. All times
 * are of the database's clock. Thread-safe.
 */
@Singleton
final class Chunks {
    /**
     * How long a claim lasts: a data plane reports every second, and may be away for a while. Tests of whole stacks set
     * the property, to wait less.
     */
    static final ClaimRule CLAIMS =
            new ClaimRule("warming_claim", Duration.ofSeconds(Long.getLong("dev.kvstore.test.claim.seconds", 15)));

    /** The number of data planes that work on the warming {@code w}. */
    private static final String CLAIMED = """
            (select count(*) from warming_chunk c
                where c.warming = w.id and not c.done and c.claimed_until > now()) as claims""";

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

    private record WarmingCandidate(String id, long bytesPerSecond, int claims) {
        boolean hasRoom() {
            return claims < new Warming.Budget(bytesPerSecond, 1).claims();
        }
    }

    private List<WarmingCandidate> candidates(LeaseHolder holder, List<String> except) throws SQLException {
        return Sql.on(database, """
                        select id, bytes_per_second, %s
                        from warming w
                        where target = :region and state = 'RUNNING' and not id = any(:except) and %s
                        order by claims, id limit 64""".formatted(CLAIMED, PlacedWork.condition("w.resource_name", "w.target")))
                .with(holder)
                .array("except", "text", except)
                .list(WarmingCandidate.class)
                .stream()
                .filter(WarmingCandidate::hasRoom)
                .toList();
    }

    private static Optional<ClaimedChunk> claim(Connection connection, WarmingCandidate candidate, UUID lease)
            throws SQLException {
        Optional<Warming> job = LockedWarming.of(connection, candidate.id()).map(LockedWarming::job);
        if (job.isEmpty() || job.get().state() != WarmingState.RUNNING) {
            return Optional.empty();
        }
        Sql claim = Sql.on(connection, """
                        update warming_chunk set %s, bytes_per_second = 0, waiting = ''
                        where warming = :warming and number = (
                            select number from warming_chunk where warming = :warming and not done and %s
                            order by number limit 1)
                        returning number, blocks, length(outcomes) as done, claim""".formatted(CLAIMS.taken(), ClaimRule.FREE))
                .with("lease", lease)
                .with("warming", candidate.id());
        return claim.first(row -> new ClaimedChunk(
                job.get(),
                row.getInt("number"),
                PackedChunk.of(row.getBytes("blocks")),
                row.getInt("done"),
                row.getLong("claim"),
                candidate.claims() + 1));
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
            Optional<ChunkRow> claimed = warming.isEmpty() ? Optional.empty() : row(connection, progress);
            if (claimed.isEmpty()) {
                return Optional.empty();
            }
            ChunkRow row = claimed.get();
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

    /** The chunk, if the reporter still has its claim. */
    private static Optional<ChunkRow> row(Connection connection, ChunkProgress progress) throws SQLException {
        Sql claimed = Sql.on(connection, """
                        select blocks, length(outcomes) as done, claimed_by from warming_chunk
                        where warming = :warming and number = :chunk and claim = :claim and claim > 0 and not done""").with(progress);
        return ClaimRule.held(
                claimed,
                progress.lease(),
                "warming " + progress.warming(),
                row -> new ChunkRow(PackedChunk.of(row.getBytes("blocks")), row.getInt("done")));
    }

    private static void renew(Connection connection, ChunkProgress progress, ByteString news, boolean done)
            throws SQLException {
        var _ = Sql.on(connection, """
                        update warming_chunk set outcomes = outcomes || :news, done = :done,
                            bytes_per_second = :bytesPerSecond, waiting = :waiting,
                            claimed_until = case when :isFree then null else %s end
                        where warming = :warming and number = :chunk""".formatted(CLAIMS.end()))
                .with(progress)
                .with("news", news.toByteArray())
                .with("done", done)
                .with("isFree", done || progress.givenBack())
                .run();
    }

    private record BlockFailure(int block, String reason) {}

    private static void keepFailures(Connection connection, ChunkProgress progress, int known) throws SQLException {
        List<BlockFailure> failures = new ArrayList<>();
        for (int i = Math.max(known, progress.from());
                i < progress.from() + progress.outcomes().size();
                i++) {
            if (progress.outcomes().byteAt(i - progress.from()) == BlockOutcomes.FAILED) {
                failures.add(new BlockFailure(i, progress.failures().getOrDefault(i, "no reason was given")));
            }
        }
        Sql.on(connection, """
                        insert into warming_failure (warming, chunk, block, reason)
                        values (:warming, :chunk, :block, :reason) on conflict do nothing""").with(progress).runEach(failures);
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
        var _ = Sql.on(connection, """
                        update warming set copied = copied + :copied, copied_bytes = copied_bytes + :copiedBytes,
                            present = present + :present, present_bytes = present_bytes + :presentBytes,
                            failed = failed + :failed, failed_bytes = failed_bytes + :failedBytes
                        where id = :id""")
                .with("copied", blocks[BlockOutcomes.COPIED])
                .with("copiedBytes", bytes[BlockOutcomes.COPIED])
                .with("present", blocks[BlockOutcomes.PRESENT])
                .with("presentBytes", bytes[BlockOutcomes.PRESENT])
                .with("failed", blocks[BlockOutcomes.FAILED])
                .with("failedBytes", bytes[BlockOutcomes.FAILED])
                .with("id", warming)
                .run();
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
        return Sql.on(connection, "select exists (select from warming_chunk where warming = :warming and not done)")
                .with("warming", warming)
                .only(Boolean.class);
    }

    /** The budget of a warming, and the number of claims that share it. */
    private record DividedBudget(Warming.Budget budget, int claims) {}

    private static Warming.Budget share(Connection connection, String warming) throws SQLException {
        DividedBudget divided = Sql.on(
                        connection,
                        "select bytes_per_second, requests_per_second, " + CLAIMED + " from warming w where id = :id")
                .with("id", warming)
                .only(DividedBudget.class);
        return divided.budget().share(divided.claims());
    }
}
