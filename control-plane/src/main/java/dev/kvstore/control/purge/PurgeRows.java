package dev.kvstore.control.purge;

import dev.kvstore.accounts.resolve.Resolved;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads purges from rows. Stateless. */
final class PurgeRows {
    private static final String SELECT = """
            select p.id, p.resource_name, p.tenant, p.partition_name, p.block_tokens, encode(p.root, 'hex'),
                encode(p.hash, 'hex'), p.key_id, p.state, p.version, p.created_at, p.ended_at from purge p\s""";

    private PurgeRows() {}

    /** @param more conditions of the row, and how it is locked */
    static Optional<PurgeJob> find(Connection connection, String id, String more) throws SQLException {
        return all(connection, "where p.id = ? " + more, id).stream().findFirst();
    }

    /**
     * The purges that a condition selects, in two queries however many they are.
     *
     * @param where conditions, order and limit
     */
    static List<PurgeJob> all(Connection connection, String where, @Nullable Object... values) throws SQLException {
        List<PurgeJob> found = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(SELECT + where)) {
            for (int i = 0; i < values.length; i++) {
                select.setObject(i + 1, values[i]);
            }
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    found.add(job(row));
                }
            }
        }
        Map<String, List<PurgeJob.RegionPurge>> regions = regions(connection, found);
        return found.stream()
                .map(job -> job.in(regions.getOrDefault(job.id(), List.of())))
                .toList();
    }

    private static PurgeJob job(ResultSet row) throws SQLException {
        Timestamp ended = row.getTimestamp("ended_at");
        return new PurgeJob(
                row.getString("id"),
                row.getString("resource_name"),
                row.getString("tenant"),
                row.getString("partition_name"),
                row.getObject("block_tokens", Integer.class),
                row.getString(6),
                row.getString(7),
                row.getString("key_id"),
                PurgeState.valueOf(row.getString("state")),
                row.getLong("version"),
                row.getTimestamp("created_at").toInstant(),
                ended == null ? null : ended.toInstant(),
                List.of());
    }

    /** The regions of purges, by the purges' ids. */
    private static Map<String, List<PurgeJob.RegionPurge>> regions(Connection connection, List<PurgeJob> of)
            throws SQLException {
        Map<String, List<PurgeJob.RegionPurge>> regions = new HashMap<>();
        if (of.isEmpty()) {
            return regions;
        }
        try (PreparedStatement select = connection.prepareStatement("""
                select purge, region, endpoint, container, credential, create_container, done, looked_at, deleted, failed, flaw, waiting
                from purge_region where purge = any(?) order by purge, region""")) {
            select.setArray(
                    1,
                    connection.createArrayOf(
                            "text", of.stream().map(PurgeJob::id).toArray()));
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    regions.computeIfAbsent(row.getString("purge"), _ -> new ArrayList<>())
                            .add(new PurgeJob.RegionPurge(
                                    row.getString("region"),
                                    new Resolved.Storage(
                                            row.getString("endpoint"),
                                            row.getString("container"),
                                            row.getString("credential"),
                                            row.getBoolean("create_container")),
                                    row.getBoolean("done"),
                                    row.getLong("looked_at"),
                                    row.getLong("deleted"),
                                    row.getLong("failed"),
                                    row.getString("flaw"),
                                    row.getString("waiting")));
                }
            }
        }
        return regions;
    }
}
