package dev.kvstore.clusters.member;

import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.clusters.lease.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The last messages of members, for views of single processes. Thread-safe. */
public final class Members {
    private final DataSource database;
    private final Clock clock;

    /**
     * @param clock the clock by which all leases are judged
     */
    public Members(DataSource database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** The time by which leases are judged. */
    public Instant now() {
        return clock.instant();
    }

    /**
     * The process that has this lease; empty if no process has it.
     *
     * @throws IllegalStateException with the {@link SQLException}, if the database does not answer
     */
    public Optional<LeaseHolder> holder(UUID lease) {
        try (Connection connection = database.getConnection()) {
            return LeaseHolder.find(connection, lease);
        } catch (SQLException e) {
            throw new IllegalStateException("the lease cannot be read", e);
        }
    }

    /**
     * The members of a cluster with these names, by name; processes that have not joined are left out.
     *
     * @throws IllegalStateException with the {@link SQLException}, if the database does not answer
     */
    public Map<String, MemberView> of(String cluster, Collection<String> names) {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                        select l.process, l.instance, l.remote_address, l.program, h.draining, l.joined_at, h.heard_at,
                            h.ends_at, h.max_bytes_per_second, h.max_operations, h.memory_tier_bytes, h.disk_tier_bytes,
                            h.cpus, h.bytes_per_second, h.operations, h.streams, h.cpu, h.memory, h.memory_tier,
                            h.disk_tier, h.latency_p50_micros, h.latency_p99_micros, h.rejected_per_second
                        from lease l join heartbeat h on h.lease = l.id
                        where l.cluster = ? and l.process = any(?)""")) {
            select.setString(1, cluster);
            select.setArray(2, connection.createArrayOf("text", names.toArray()));
            Map<String, MemberView> members = new HashMap<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    members.put(
                            row.getString(1),
                            new MemberView(
                                    row.getString(2),
                                    row.getString(3),
                                    row.getString(4),
                                    row.getBoolean(5),
                                    Sql.instant(row, 6),
                                    Sql.instant(row, 7),
                                    Sql.instant(row, 8),
                                    Heartbeats.capacity(row, 9),
                                    MemberView.Load.of(Heartbeats.load(row, 14))));
                }
            }
            return members;
        } catch (SQLException e) {
            throw new IllegalStateException("the members of " + cluster + " cannot be read", e);
        }
    }
}
