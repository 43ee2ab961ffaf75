package dev.kvstore.control.warming;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.admin.database.DatabaseQuery;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.control.heat.BlockHeat;
import dev.kvstore.control.heat.BlockName;
import dev.kvstore.control.warming.block.BlockOutcomes;
import jakarta.inject.Singleton;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The copies of an account's blocks in other regions that are known from warmings. Thread-safe. */
@Singleton
public final class Copies {
    private static final System.Logger LOG = System.getLogger(Copies.class.getName());

    /** The most chunks that are read, two million blocks: those of the latest warmings, and of each the hottest. */
    private static final int MOST_CHUNKS = 2_048;

    private static final long NOTHING_SEEN = Long.MIN_VALUE;

    private final DataSource database;
    private final ObjectMapper json;

    Copies(DataSource database, ObjectMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * Regions into whose storage blocks of an account were copied of late.
     *
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    public Set<String> regions(String resourceName) {
        return new HashSet<>(DatabaseQuery.answer(() -> Sql.on(
                        database,
                        "select distinct target from warming where resource_name = :name and copied + present > 0")
                .with("name", resourceName)
                .list(String.class)));
    }

    /** Warmings of an account from a region to another that are not over. */
    public List<String> open(String resourceName, String from, String to) throws SQLException {
        return Jobs.between(database, resourceName, from, to).stream()
                .filter(job -> !job.state().isOver())
                .map(Warming::id)
                .toList();
    }

    /**
     * Answers for each of some blocks whether it is known to be in a region's storage, since a warming copied it or
     * found it there. A block that is not known may be there all the same.
     *
     * @param from the region in which the blocks are used
     * @param since when the present storage of the region came into use: blocks that were copied before may have gone
     *     to another storage
     */
    public Set<BlockName> known(
            String resourceName, String from, String to, Instant since, Collection<BlockHeat> blocks)
            throws SQLException {
        Set<BlockName> wanted = blocks.stream().map(BlockHeat::name).collect(Collectors.toSet());
        Set<BlockName> known = copied(resourceName, to, since, wanted);
        for (Warming job : Jobs.between(database, resourceName, from, to)) {
            long seen = job.createdAt().isBefore(since) ? NOTHING_SEEN : seen(job);
            if (seen > NOTHING_SEEN) {
                Set<BlockName> left =
                        Transactions.run(database, connection -> BlockOutcomes.notThere(connection, job.id()));
                blocks.stream()
                        .filter(block -> block.told() < seen && !left.contains(block.name()))
                        .forEach(block -> known.add(block.name()));
            }
        }
        return known;
    }

    /**
     * The second up to which a warming has copied all reported blocks, except those that its chunks name as missing.
     */
    private long seen(Warming job) {
        Selection selection;
        try {
            selection = job.selected(json);
        } catch (IllegalStateException e) {
            LOG.log(
                    Level.WARNING,
                    "the selection of the warming " + job.id() + " cannot be read: nothing counts as copied by it",
                    e);
            return NOTHING_SEEN;
        }
        if (selection.partition() != null) {
            return NOTHING_SEEN;
        }
        Instant planned = job.plannedAt();
        if (Boolean.TRUE.equals(selection.used()) && planned != null) {
            // The chunks of the next round contain the blocks that a round leaves undone.
            return Planner.seen(planned);
        }
        return Boolean.TRUE.equals(selection.all()) && job.state() == WarmingState.DONE
                ? Planner.seen(job.createdAt())
                : NOTHING_SEEN;
    }

    private Set<BlockName> copied(String resourceName, String to, Instant since, Set<BlockName> wanted)
            throws SQLException {
        return Transactions.run(database, connection -> {
            Set<BlockName> known = new HashSet<>();
            Sql.on(connection, """
                            select c.blocks, c.outcomes from warming w join warming_chunk c on c.warming = w.id
                            where w.resource_name = :resourceName and w.target = :target and w.planned_at >= :since
                            and c.outcomes <> ''
                            order by w.id desc, c.number limit :most""")
                    .with("resourceName", resourceName)
                    .with("target", to)
                    .with("since", since)
                    .with("most", MOST_CHUNKS)
                    .fetching(BlockOutcomes.FETCHED_CHUNKS)
                    .each(row -> BlockOutcomes.each(row, (block, there) -> {
                        if (there && wanted.contains(block)) {
                            known.add(block);
                        }
                    }));
            return known;
        });
    }
}
