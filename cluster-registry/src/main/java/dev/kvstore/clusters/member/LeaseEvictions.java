package dev.kvstore.clusters.member;

import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.lease.Sql;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/**
 * Deletes data planes whose leases ended long ago; one control plane at a time, once in {@link Rules#EVICTION_PASS}.
 * Thread-safe.
 */
public final class LeaseEvictions {
    private final DataSource database;
    private final RandomGenerator random;

    public LeaseEvictions(DataSource database, RandomGenerator random) {
        this.database = database;
        this.random = random;
    }

    /**
     * Makes a pass, if it is due and no other control plane has made it.
     *
     * @param fleet the fleet that was just read; a data plane with a later heartbeat stays
     * @return {@code cluster/process} of the deleted data planes
     * @throws SQLException if the database does not answer; then no data plane was deleted
     */
    public List<String> pass(Fleet fleet) throws SQLException {
        if (!isMine(fleet.at())) {
            return List.of();
        }
        List<Eviction.EvictedProcess> chosen = Eviction.choose(fleet, random);
        return chosen.isEmpty()
                ? List.of()
                : Sql.inTransaction(database, connection -> forget(connection, chosen, Eviction.cutoff(fleet.at())));
    }

    private boolean isMine(Instant now) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement update =
                        connection.prepareStatement("update pulse set evicted_at = ? where evicted_at <= ?")) {
            update.setObject(1, Sql.time(now));
            update.setObject(2, Sql.time(now.minus(Rules.EVICTION_PASS)));
            return update.executeUpdate() == 1;
        }
    }

    /**
     * Deletes data planes. Locks the rows first, so that a lease which a heartbeat renews at this moment is not
     * deleted.
     */
    private static List<String> forget(Connection connection, List<Eviction.EvictedProcess> chosen, Instant cutoff)
            throws SQLException {
        List<String> forgotten = new ArrayList<>();
        List<UUID> leases = new ArrayList<>();
        try (PreparedStatement lock = connection.prepareStatement("""
                select l.id, l.cluster || '/' || l.process
                from unnest(?, ?) as gone(cluster, process)
                join lease l on l.cluster = gone.cluster and l.process = gone.process
                join heartbeat h on h.lease = l.id
                where h.ends_at <= ?
                for update of h skip locked""")) {
            lock.setArray(1, texts(connection, chosen, Eviction.EvictedProcess::cluster));
            lock.setArray(2, texts(connection, chosen, Eviction.EvictedProcess::process));
            lock.setObject(3, Sql.time(cutoff));
            try (ResultSet row = lock.executeQuery()) {
                while (row.next()) {
                    leases.add(row.getObject(1, UUID.class));
                    forgotten.add(row.getString(2));
                }
            }
        }
        try (PreparedStatement delete = connection.prepareStatement("""
                with gone as (delete from lease where id = any(?) returning cluster, process)
                delete from process p using gone
                where p.cluster = gone.cluster and p.name = gone.process and not p.declared and not p.draining""")) {
            delete.setArray(1, connection.createArrayOf("uuid", leases.toArray()));
            delete.executeUpdate();
        }
        return forgotten;
    }

    private static Array texts(
            Connection connection, List<Eviction.EvictedProcess> rows, Function<Eviction.EvictedProcess, String> text)
            throws SQLException {
        return connection.createArrayOf("text", rows.stream().map(text).toArray());
    }
}
