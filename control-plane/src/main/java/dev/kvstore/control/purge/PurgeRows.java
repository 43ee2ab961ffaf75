package dev.kvstore.control.purge;

import dev.kvstore.admin.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads purges from rows. Stateless. */
final class PurgeRows {
    private static final String SELECT = """
            select id, resource_name, tenant, partition_name, block_tokens, encode(root, 'hex') as root,
                encode(hash, 'hex') as block, key_id, state, version, created_at, ended_at from purge\s""";

    private PurgeRows() {}

    /** @param more conditions of the row, and how it is locked */
    static Optional<PurgeJob> find(Connection connection, String id, String more) throws SQLException {
        return all(connection, "where id = :id " + more, sql -> sql.with("id", id)).stream()
                .findFirst();
    }

    /**
     * The purges that a condition selects, in two queries however many they are.
     *
     * @param where conditions, order and limit
     * @param values gives the parameters of {@code where} their values
     */
    static List<PurgeJob> all(Connection connection, String where, UnaryOperator<Sql> values) throws SQLException {
        List<PurgeJob> found = values.apply(Sql.on(connection, SELECT + where)).list(PurgeRows::job);
        Map<String, List<PurgeJob.RegionPurge>> regions = regions(connection, found);
        return found.stream()
                .map(job -> job.in(regions.getOrDefault(job.id(), List.of())))
                .toList();
    }

    private static PurgeJob job(ResultSet row) throws SQLException {
        return new PurgeJob(
                row.getString("id"),
                row.getString("resource_name"),
                row.getString("tenant"),
                row.getString("partition_name"),
                row.getObject("block_tokens", Integer.class),
                row.getString("root"),
                row.getString("block"),
                row.getString("key_id"),
                PurgeState.valueOf(row.getString("state")),
                row.getLong("version"),
                Sql.time(row, "created_at"),
                Sql.instant(row, "ended_at"),
                List.of());
    }

    /** The regions of purges, by the purges' ids. */
    private static Map<String, List<PurgeJob.RegionPurge>> regions(Connection connection, List<PurgeJob> of)
            throws SQLException {
        Map<String, List<PurgeJob.RegionPurge>> regions = new HashMap<>();
        if (!of.isEmpty()) {
            Sql.on(connection, """
                            select purge, region, endpoint, container, credential, create_container, done, looked_at, deleted, failed, flaw, waiting
                            from purge_region where purge = any(:purges) order by purge, region""")
                    .array("purges", "text", of.stream().map(PurgeJob::id).toList())
                    .each(row -> regions.computeIfAbsent(row.getString("purge"), _ -> new ArrayList<>())
                            .add(Sql.record(row, PurgeJob.RegionPurge.class)));
        }
        return regions;
    }
}
