package dev.kvstore.control.warming;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.control.database.Transactions;
import dev.kvstore.control.heat.BlockHeat;
import dev.kvstore.control.heat.BlockName;
import dev.kvstore.control.heat.Heats;
import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
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
    static final String NOTHING_KNOWN = "nothing is known of the use of this account there: select storedSince, or all";

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
                plan(connection, next.get());
            }
            return next.isPresent();
        });
    }

    private static Optional<Warming> next(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                        select id from warming where state = 'PLANNING' and (listed or not listing)
                        order by id limit 1 for update skip locked""");
                ResultSet row = select.executeQuery()) {
            return row.next() ? Jobs.find(connection, row.getString(1), "") : Optional.empty();
        }
    }

    private void plan(Connection connection, Warming job) throws SQLException {
        Selection selection = selection(job);
        List<BlockHeat> hot = selection.prefix() == null ? hot(job, selection) : List.of();
        try (Chunking chunks = new Chunking(connection, job.id())) {
            if (job.listing()) {
                listed(connection, job, hot, chunks);
            } else {
                long most = selection.hottestBytes() == null ? 0 : selection.hottestBytes();
                for (BlockRef block : ChainOrder.of(hot, most)) {
                    chunks.add(block);
                }
            }
            chunks.end();
            planned(connection, job, chunks.all());
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
        List<BlockHeat> hottest = heats.hottest(job.source(), job.resourceName());
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

    private void planned(Connection connection, Warming job, Warming.Count all) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update warming set planned = true, blocks = ?, bytes = ? where id = ?")) {
            update.setLong(1, all.blocks());
            update.setLong(2, all.bytes());
            update.setString(3, job.id());
            update.executeUpdate();
        }
        Jobs.move(connection, job.id(), WarmingState.RUNNING, null, clock.instant());
        if (all.blocks() == 0) {
            String flaw = job.listing() ? "no block that is stored there was meant" : NOTHING_KNOWN;
            Jobs.move(connection, job.id(), WarmingState.DONE, flaw, clock.instant());
        }
    }
}
