package dev.kvstore.control.warming;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.control.database.Transactions;
import dev.kvstore.control.heat.BlockHeat;
import dev.kvstore.control.heat.BlockName;
import dev.kvstore.protocol.heat.Uses;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** What is known of copies of an account's blocks in other regions, by what became of warmings. Thread-safe. */
@Singleton
public final class Copies {
    /** Chunks that are looked into, two million blocks: the latest warmings' and of each the hottest. */
    private static final int MOST_CHUNKS = 2_048;

    /** At a time, of 70 kB each. */
    private static final int FETCHED_CHUNKS = 64;

    private final DataSource database;
    private final ObjectMapper json;

    Copies(DataSource database, ObjectMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * Regions into whose storage blocks of an account were copied of late.
     *
     * @throws IllegalStateException if the database does not answer; the cause is its own
     */
    public Set<String> regions(String resourceName) {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "select distinct target from warming where resource_name = ? and copied + present > 0")) {
            select.setString(1, resourceName);
            Set<String> regions = new HashSet<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    regions.add(row.getString(1));
                }
            }
            return regions;
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
    }

    /** Warmings of an account from a region to another that are not over. */
    public List<String> open(String resourceName, String from, String to) throws SQLException {
        return warmings(resourceName, from, to).stream()
                .filter(job -> !job.state().isOver())
                .map(Warming::id)
                .toList();
    }

    /**
     * Which of some blocks are known to be in a region's storage, since a warming copied them or found them there. What
     * is not known may be there all the same.
     *
     * @param from where they are used
     * @param since when the storage there became what it is: what was copied before may have gone elsewhere
     */
    public Set<BlockName> known(
            String resourceName, String from, String to, Instant since, Collection<BlockHeat> blocks)
            throws SQLException {
        double usedBefore = warmings(resourceName, from, to).stream()
                .filter(job -> !job.createdAt().isBefore(since))
                .mapToDouble(this::allUsedBefore)
                .max()
                .orElse(Uses.NONE);
        Set<BlockName> wanted = blocks.stream().map(BlockHeat::name).collect(Collectors.toSet());
        Set<BlockName> known = copied(resourceName, to, since, wanted);
        for (BlockHeat block : blocks) {
            if (block.uses() < usedBefore) {
                known.add(block.name());
            }
        }
        return known;
    }

    /**
     * The fewest uses of blocks that a warming may not have copied: whatever has fewer was not used since it was planned, and
     * so was used, and stored, before.
     */
    private double allUsedBefore(Warming job) {
        Selection selection;
        try {
            selection = json.readValue(job.selection(), Selection.class);
        } catch (JsonProcessingException e) {
            return Uses.NONE;
        }
        if (job.tally().failed().blocks() > 0 || selection.partition() != null) {
            return Uses.NONE;
        }
        Instant caughtUp = job.caughtUpAt();
        if (Boolean.TRUE.equals(selection.used()) && caughtUp != null) {
            return Uses.at(caughtUp.minus(Planner.TOLD_LATE));
        }
        if (Boolean.TRUE.equals(selection.all()) && job.state() == WarmingState.DONE) {
            return Uses.at(job.createdAt().minus(Planner.TOLD_LATE));
        }
        return Uses.NONE;
    }

    private List<Warming> warmings(String resourceName, String from, String to) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return Jobs.between(connection, resourceName, from, to);
        }
    }

    private Set<BlockName> copied(String resourceName, String to, Instant since, Set<BlockName> wanted)
            throws SQLException {
        // In a transaction rows come a few at a time.
        return Transactions.run(database, connection -> {
            Set<BlockName> known = new HashSet<>();
            try (PreparedStatement select = connection.prepareStatement("""
                    select c.blocks, c.outcomes from warming w join warming_chunk c on c.warming = w.id
                    where w.resource_name = ? and w.target = ? and w.planned_at >= ? and c.outcomes <> ''
                    order by w.id desc, c.number limit ?""")) {
                select.setString(1, resourceName);
                select.setString(2, to);
                select.setObject(3, since.atOffset(ZoneOffset.UTC));
                select.setInt(4, MOST_CHUNKS);
                select.setFetchSize(FETCHED_CHUNKS);
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        add(PackedChunk.of(row.getBytes(1)), row.getBytes(2), wanted, known);
                    }
                }
            }
            return known;
        });
    }

    private static void add(PackedChunk chunk, byte[] outcomes, Set<BlockName> wanted, Set<BlockName> known) {
        for (int i = 0; i < outcomes.length; i++) {
            if (Chunks.isThere(outcomes[i])) {
                BlockName name = chunk.name(i);
                if (wanted.contains(name)) {
                    known.add(name);
                }
            }
        }
    }
}
