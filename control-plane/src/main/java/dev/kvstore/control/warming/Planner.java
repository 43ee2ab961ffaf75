package dev.kvstore.control.warming;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.control.database.Transactions;
import dev.kvstore.control.heat.BlockHeat;
import dev.kvstore.control.heat.BlockName;
import dev.kvstore.control.heat.Heats;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.heat.Uses;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Cuts warmings into chunks: what is hot in the order of {@link ChainOrder}, of what is stored first that and then the rest
 * in the order in which it was stored, so that a block comes after those before it in its prompt. Thread-safe.
 */
final class Planner {
    /** Use is told every 5 s, and later if the control plane was away. */
    static final Duration TOLD_LATE = Duration.ofMinutes(1);

    static final String NOTHING_KNOWN = "nothing is known of the use of this account there: select storedSince, or all";

    private static final Logger LOG = System.getLogger(Planner.class.getName());

    private final DataSource database;
    private final Heats heats;
    private final ObjectMapper json;
    private final Clock clock;

    Planner(DataSource database, Heats heats, ObjectMapper json, Clock clock) {
        this.database = database;
        this.heats = heats;
        this.json = json;
        this.clock = clock;
    }

    /**
     * Plans one warming whose blocks can be known, if there is one that no other control plane is about.
     *
     * @return whether there was
     */
    boolean plan() throws SQLException {
        return Transactions.run(database, connection -> {
            Optional<Warming> next = next(connection);
            if (next.isPresent()) {
                Warming job = next.get();
                if (job.state() == WarmingState.WAITING) {
                    begin(connection, job);
                }
                if (job.state() == WarmingState.PLANNING || !job.listing()) {
                    planOrEnd(connection, job);
                }
            }
            return next.isPresent();
        });
    }

    private static Optional<Warming> next(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                        select id from warming where (state = 'PLANNING' and (listed or not listing))
                        or (state = 'WAITING' and plan_after <= now()) order by id limit 1 for update skip locked""");
                ResultSet row = select.executeQuery()) {
            return row.next() ? Jobs.find(connection, row.getString(1), "") : Optional.empty();
        }
    }

    /** One that cannot be planned, by a flaw or a version that is too old for it, must not keep others waiting. */
    private void planOrEnd(Connection connection, Warming job) throws SQLException {
        try {
            plan(connection, job);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the warming " + job.id() + " cannot be planned", e);
            String flaw = "it cannot be planned: a flaw of the control plane; its log has more";
            var _ = Jobs.endRound(connection, job, WarmingState.FAILED, flaw, clock.instant());
        }
    }

    /** One more round: what was planned in the last is done, and over. */
    private static void begin(Connection connection, Warming job) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from warming_chunk where warming = ?");
                PreparedStatement update = connection.prepareStatement("""
                        update warming set state = 'PLANNING', listed = false, list_cursor = '', claimed_until = null
                        where id = ?""")) {
            delete.setString(1, job.id());
            delete.executeUpdate();
            update.setString(1, job.id());
            update.executeUpdate();
        }
    }

    private void plan(Connection connection, Warming job) throws SQLException {
        Instant now = clock.instant();
        Selection selection = selection(job);
        List<BlockHeat> hot = selection.prefix() == null ? hot(job, selection) : List.of();
        try (Chunking chunks = new Chunking(connection, job.id())) {
            if (job.listing()) {
                listed(connection, job, hot, chunks);
            } else {
                long most = selection.hottestBytes() == null ? Long.MAX_VALUE : selection.hottestBytes();
                for (BlockRef block : ChainOrder.of(hot, most)) {
                    chunks.add(block);
                }
            }
            chunks.end();
            planned(connection, job, chunks.all(), now);
        }
    }

    private Selection selection(Warming job) {
        try {
            return json.readValue(job.selection(), Selection.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the selection of " + job.id() + " cannot be read", e);
        }
    }

    private List<BlockHeat> hot(Warming job, Selection selection) throws SQLException {
        List<BlockHeat> known = heats.hottest(job.source(), job.resourceName());
        Instant planned = job.plannedAt();
        // Whatever was used since has at least the weight of one use then; what was used much before may have it, too.
        double least = Boolean.TRUE.equals(selection.used()) && planned != null
                ? Uses.at(planned.minus(TOLD_LATE))
                : Double.NEGATIVE_INFINITY;
        List<BlockHeat> hottest =
                known.stream().filter(block -> block.uses() >= least).toList();
        return selection
                .root()
                .map(root -> hottest.stream()
                        .filter(block -> block.name().root().equals(root))
                        .toList())
                .orElse(hottest);
    }

    private static BlockName name(byte[] bytes) {
        ByteBuffer name = ByteBuffer.wrap(bytes);
        return new BlockName(BlockHash.at(name, 0), BlockHash.at(name, BlockHash.BYTES));
    }

    private static void listed(Connection connection, Warming job, List<BlockHeat> hot, Chunking chunks)
            throws SQLException {
        Set<BlockName> early = new HashSet<>();
        if (!hot.isEmpty()) {
            // Only what is stored, and is meant: what is hot may be neither.
            Set<BlockName> meant = meant(connection, job, hot);
            for (BlockRef block : ChainOrder.of(hot, Long.MAX_VALUE)) {
                BlockName name = new BlockName(block.root(), block.hash());
                if (meant.contains(name) && early.add(name)) {
                    chunks.add(block);
                }
            }
        }
        try (PreparedStatement select = connection.prepareStatement(
                "select name, bytes from warming_found where warming = ? order by rank, name")) {
            select.setFetchSize(10_000);
            select.setString(1, job.id());
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    BlockName name = name(row.getBytes(1));
                    if (!early.contains(name)) {
                        chunks.add(new BlockRef(name.root(), name.hash(), row.getInt(2)));
                    }
                }
            }
        }
        try (PreparedStatement delete = connection.prepareStatement("delete from warming_found where warming = ?")) {
            delete.setString(1, job.id());
            delete.executeUpdate();
        }
    }

    private static Set<BlockName> meant(Connection connection, Warming job, List<BlockHeat> hot) throws SQLException {
        Set<BlockName> known = new HashSet<>();
        hot.forEach(block -> known.add(block.name()));
        Set<BlockName> meant = new HashSet<>();
        try (PreparedStatement select =
                connection.prepareStatement("select name from warming_found where warming = ?")) {
            select.setFetchSize(10_000);
            select.setString(1, job.id());
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    BlockName name = name(row.getBytes(1));
                    if (known.contains(name)) {
                        meant.add(name);
                    }
                }
            }
        }
        return meant;
    }

    private void planned(Connection connection, Warming job, Warming.Count all, Instant now) throws SQLException {
        // With those of rounds before this one.
        try (PreparedStatement update = connection.prepareStatement("""
                update warming set planned = true, planned_at = ?, flaw = null, blocks = ? + copied + present + failed,
                    bytes = ? + copied_bytes + present_bytes + failed_bytes where id = ?""")) {
            update.setObject(1, now.atOffset(ZoneOffset.UTC));
            update.setLong(2, all.blocks());
            update.setLong(3, all.bytes());
            update.setString(4, job.id());
            update.executeUpdate();
        }
        Jobs.move(connection, job.id(), WarmingState.RUNNING, null, now);
        if (all.blocks() == 0) {
            boolean once = job.every() == null;
            String nothing = job.listing() ? "no block that is stored there was meant" : NOTHING_KNOWN;
            Warming planned = Jobs.find(connection, job.id(), "").orElseThrow();
            var _ = Jobs.endRound(connection, planned, WarmingState.DONE, once ? nothing : null, now);
        }
    }
}
