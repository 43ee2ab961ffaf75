package dev.kvstore.control.warming;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.control.heat.BlockHeat;
import dev.kvstore.control.heat.BlockName;
import dev.kvstore.control.heat.Heats;
import dev.kvstore.control.warming.block.BlockOutcomes;
import dev.kvstore.control.warming.block.BlockRef;
import dev.kvstore.control.warming.block.ChainOrder;
import dev.kvstore.protocol.block.BlockHash;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Divides warmings into chunks. Hot blocks come in the order of {@link ChainOrder}. Among listed blocks the hot ones
 * come first. The rest follow in the order in which they were stored, so that a block comes after the blocks before it
 * in its prompt. Thread-safe.
 */
@Singleton
final class Planner {
    /** Reports that came less than this time before a plan may have been committed after it. */
    private static final Duration UNSEEN = Duration.ofMinutes(1);

    static final String NOTHING_KNOWN = "nothing is known of the use of this account there: select storedSince, or all";

    /** The number of blocks that are fetched at a time. */
    private static final int FETCHED_BLOCKS = 10_000;

    private static final Logger LOG = System.getLogger(Planner.class.getName());

    private final DataSource database;
    private final Heats heats;
    private final ObjectMapper json;

    Planner(DataSource database, Heats heats, ObjectMapper json) {
        this.database = database;
        this.heats = heats;
        this.json = json;
    }

    /**
     * Plans all warmings that are due, one after the other, each in a transaction of its own. Leaves out warmings that
     * another control plane is planning.
     *
     * @throws SQLException if the database does not answer which warmings are due
     */
    void plan() throws SQLException {
        for (String id = due(""); id != null; id = due(id)) {
            planOrEnd(id);
        }
    }

    private @Nullable String due(String after) throws SQLException {
        return Sql.on(database, "select min(id) from warming where id > :after and " + LockedWarming.DUE)
                .with("after", after)
                .first(String.class)
                .orElse(null);
    }

    /** Plans one warming. If that fails, other warmings are still planned. */
    private void planOrEnd(String id) {
        try {
            var _ = Transactions.run(database, connection -> {
                Optional<LockedWarming> due = LockedWarming.due(connection, id);
                if (due.isPresent()) {
                    plan(connection, due.get());
                }
                return due.isPresent();
            });
        } catch (SQLException | RuntimeException | Error e) {
            if (TransientFailures.is(e)) {
                LOG.log(Level.WARNING, "the warming {0} is planned later: {1}", id, e.getMessage());
                return;
            }
            LOG.log(Level.ERROR, "the warming " + id + " cannot be planned", e);
            end(id);
        }
    }

    private void end(String id) {
        try {
            var _ = Transactions.run(database, connection -> {
                Optional<LockedWarming> due = LockedWarming.due(connection, id);
                if (due.isPresent()) {
                    if (due.get().job().state() == WarmingState.WAITING) {
                        due.get().beginRound();
                    }
                    due.get()
                            .endRound(
                                    WarmingState.FAILED,
                                    "it cannot be planned: the control plane failed; its log has the reason",
                                    false);
                }
                return due.isPresent();
            });
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "the warming {0} is ended later: {1}", id, e.getMessage());
        }
    }

    private void plan(Connection connection, LockedWarming warming) throws SQLException {
        boolean listed = warming.job().state() == WarmingState.PLANNING;
        if (!listed) {
            warming.beginRound();
        }
        if (listed || !warming.job().listing()) {
            planRound(connection, warming);
        }
    }

    /** The chunks of this round replace the chunks of the round before. */
    private void planRound(Connection connection, LockedWarming warming) throws SQLException {
        Warming job = warming.job();
        Selection selection = job.selected(json);
        List<BlockHeat> hot = selection.prefix() == null ? hot(connection, job, selection) : List.of();
        Chunking chunks = Chunking.anew(connection, job.id());
        if (job.listing()) {
            listed(connection, job, hot, chunks);
        } else {
            long most = selection.hottestBytes() == null ? Long.MAX_VALUE : selection.hottestBytes();
            for (BlockRef block : ChainOrder.of(hot, most)) {
                chunks.add(block);
            }
        }
        chunks.end();
        Warming.WarmingCount all = chunks.all();
        warming.planned(all);
        if (all.blocks() == 0) {
            String nothing = job.listing() ? "no block that is stored there was meant" : NOTHING_KNOWN;
            warming.endRound(WarmingState.DONE, job.every() == null ? nothing : null, true);
        }
    }

    private List<BlockHeat> hot(Connection connection, Warming job, Selection selection) throws SQLException {
        List<BlockHeat> known = heats.hottest(job.source(), job.resourceName());
        Instant planned = job.plannedAt();
        Predicate<BlockHeat> meant = _ -> true;
        if (Boolean.TRUE.equals(selection.used()) && planned != null) {
            // The last round knew the uses that were reported before it, and may have left some blocks uncopied.
            long seen = seen(planned);
            Set<BlockName> left = BlockOutcomes.notThere(connection, job.id());
            meant = block -> block.told() >= seen || left.contains(block.name());
        }
        Optional<BlockHash> root = selection.root();
        return known.stream()
                .filter(meant)
                .filter(block -> root.isEmpty() || block.name().root().equals(root.get()))
                .toList();
    }

    /** The second before which a plan of this time includes all reports. */
    static long seen(Instant planned) {
        return planned.minus(UNSEEN).getEpochSecond();
    }

    private static BlockName name(byte[] bytes) {
        ByteBuffer name = ByteBuffer.wrap(bytes);
        return new BlockName(BlockHash.at(name, 0), BlockHash.at(name, BlockHash.BYTES));
    }

    private static void listed(Connection connection, Warming job, List<BlockHeat> hot, Chunking chunks)
            throws SQLException {
        Set<BlockName> early = new HashSet<>();
        if (!hot.isEmpty()) {
            // Only stored and selected blocks are planned: a hot block may be neither.
            Set<BlockName> meant = meant(connection, job, hot);
            for (BlockRef block : ChainOrder.of(hot, Long.MAX_VALUE)) {
                BlockName name = new BlockName(block.root(), block.hash());
                if (meant.contains(name) && early.add(name)) {
                    chunks.add(block);
                }
            }
        }
        Sql.on(connection, "select name, bytes from warming_found where warming = :id order by rank, name")
                .fetching(FETCHED_BLOCKS)
                .with("id", job.id())
                .each(row -> {
                    BlockName name = name(row.getBytes("name"));
                    if (!early.contains(name)) {
                        chunks.add(new BlockRef(name.root(), name.hash(), row.getInt("bytes")));
                    }
                });
    }

    private static Set<BlockName> meant(Connection connection, Warming job, List<BlockHeat> hot) throws SQLException {
        Set<BlockName> known = new HashSet<>();
        hot.forEach(block -> known.add(block.name()));
        Set<BlockName> meant = new HashSet<>();
        Sql.on(connection, "select name from warming_found where warming = :id")
                .fetching(FETCHED_BLOCKS)
                .with("id", job.id())
                .each(row -> {
                    BlockName name = name(row.getBytes("name"));
                    if (known.contains(name)) {
                        meant.add(name);
                    }
                });
        return meant;
    }
}
