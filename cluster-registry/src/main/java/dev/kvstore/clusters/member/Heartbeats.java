package dev.kvstore.clusters.member;

import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.lease.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps heartbeats: many in one statement, since a transaction costs the database more than a row does. Thread-safe.
 *
 * <p>Its commits do not wait for the disk. If the database's machine crashes, the heartbeats of the last fraction of a
 * second are lost; leases last for several heartbeats, and the time without a database is made up for.
 */
public final class Heartbeats {
    /** A column of the table: its type in PostgreSQL, and its value in a heartbeat. */
    private record HeartbeatColumn(String type, Function<Beat, @Nullable Object> value) {}

    private static final List<HeartbeatColumn> COLUMNS = List.of(
            new HeartbeatColumn("uuid", Beat::lease),
            new HeartbeatColumn("text", beat -> beat.scope().cluster()),
            new HeartbeatColumn("text", beat -> beat.scope().node()),
            new HeartbeatColumn("bool", Beat::draining),
            new HeartbeatColumn("int8", beat -> of(beat, Capacity::bytesPerSecond)),
            new HeartbeatColumn("int4", beat -> of(beat, Capacity::operations)),
            new HeartbeatColumn("int8", beat -> of(beat, Capacity::memoryTierBytes)),
            new HeartbeatColumn("int8", beat -> of(beat, Capacity::diskTierBytes)),
            new HeartbeatColumn("int4", beat -> of(beat, Capacity::cpus)),
            new HeartbeatColumn("int8", beat -> beat.load().bytesPerSecond()),
            new HeartbeatColumn("int4", beat -> beat.load().operations()),
            new HeartbeatColumn("int4", beat -> beat.load().streams()),
            new HeartbeatColumn("float8", beat -> beat.load().cpu()),
            new HeartbeatColumn("float8", beat -> beat.load().memory()),
            new HeartbeatColumn("float8", beat -> beat.load().memoryTier()),
            new HeartbeatColumn("float8", beat -> beat.load().diskTier()),
            new HeartbeatColumn("int8", beat -> micros(beat.load().latencyP50())),
            new HeartbeatColumn("int8", beat -> micros(beat.load().latencyP99())),
            new HeartbeatColumn("float8", beat -> beat.load().rejectedPerSecond()));

    private static final String UPDATE = """
            update heartbeat h set
                ends_at = greatest(h.ends_at, ?), heard_at = ?, refreshes = greatest(h.refreshes, p.refreshes), draining = u.draining,
                max_bytes_per_second = coalesce(u.max_bytes_per_second, h.max_bytes_per_second),
                max_operations = coalesce(u.max_operations, h.max_operations),
                memory_tier_bytes = coalesce(u.memory_tier_bytes, h.memory_tier_bytes),
                disk_tier_bytes = coalesce(u.disk_tier_bytes, h.disk_tier_bytes),
                cpus = coalesce(u.cpus, h.cpus),
                bytes_per_second = u.bytes_per_second, operations = u.operations, streams = u.streams,
                cpu = u.cpu, memory = u.memory, memory_tier = u.memory_tier, disk_tier = u.disk_tier,
                latency_p50_micros = u.latency_p50, latency_p99_micros = u.latency_p99,
                rejected_per_second = u.rejected_per_second
            from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) as u(
                    lease, cluster, node, draining, max_bytes_per_second, max_operations, memory_tier_bytes, disk_tier_bytes, cpus,
                    bytes_per_second, operations, streams, cpu, memory, memory_tier, disk_tier,
                    latency_p50, latency_p99, rejected_per_second),
                heartbeat before, lease l, process p, cluster c
            where h.lease = u.lease and before.lease = u.lease and l.id = u.lease
                and p.cluster = l.cluster and p.name = l.process and c.name = l.cluster
                and (u.cluster is null or u.cluster = l.cluster) and (u.node is null or u.node = l.process
                    or starts_with(l.process, u.node) and substr(l.process, length(u.node) + 1) ~ '^-[1-9][0-9]{3,4}$')
            returning h.lease, l.cluster, l.process, p.draining or c.state in ('DRAINING', 'OFFLINE'),
                p.refreshes > before.refreshes""";

    private final DataSource database;
    private final Clock clock;

    /**
     * @param clock the clock by which all leases are judged
     */
    public Heartbeats(DataSource database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Renews leases, also those that have ended, from now on.
     *
     * @param beats each lease once for a scope
     * @return by lease; a missing lease does not exist any more, or belongs to a process that its beats may not speak
     *     for
     * @throws SQLException if the database does not answer; no lease is renewed
     */
    public Map<UUID, RenewedLease> keep(Collection<Beat> beats) throws SQLException {
        return Sql.inTransaction(database, connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set local synchronous_commit = off");
            }
            try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
                Instant now = clock.instant();
                update.setObject(1, Sql.time(now.plus(Rules.LEASE)));
                update.setObject(2, Sql.time(now));
                for (int i = 0; i < COLUMNS.size(); i++) {
                    update.setArray(3 + i, array(connection, COLUMNS.get(i), beats));
                }
                return heard(update);
            }
        });
    }

    private static Map<UUID, RenewedLease> heard(PreparedStatement update) throws SQLException {
        Map<UUID, RenewedLease> heard = new HashMap<>();
        try (ResultSet row = update.executeQuery()) {
            while (row.next()) {
                heard.put(
                        row.getObject(1, UUID.class),
                        new RenewedLease(row.getString(2), row.getString(3), row.getBoolean(4), row.getBoolean(5)));
            }
        }
        return heard;
    }

    private static java.sql.Array array(Connection connection, HeartbeatColumn column, Collection<Beat> beats)
            throws SQLException {
        return connection.createArrayOf(
                column.type(), beats.stream().map(column.value()).toArray());
    }

    private static @Nullable Object of(Beat beat, Function<Capacity, Object> value) {
        return beat.capacity() == null ? null : value.apply(beat.capacity());
    }

    private static @Nullable Long micros(@Nullable Duration time) {
        return time == null ? null : time.toNanos() / 1_000;
    }

    /**
     * The capacity in a row of the table. The capacity's columns begin at {@code first}, in the table's order from
     * max_bytes_per_second on.
     */
    static Capacity capacity(ResultSet row, int first) throws SQLException {
        return new Capacity(
                row.getLong(first),
                row.getInt(first + 1),
                row.getLong(first + 2),
                row.getLong(first + 3),
                row.getInt(first + 4));
    }

    /**
     * The load in a row of the table. The load's columns begin at {@code first}, in the table's order from
     * bytes_per_second on.
     */
    static Load load(ResultSet row, int first) throws SQLException {
        return new Load(
                row.getLong(first),
                row.getInt(first + 1),
                row.getInt(first + 2),
                row.getDouble(first + 3),
                row.getDouble(first + 4),
                row.getDouble(first + 5),
                row.getDouble(first + 6),
                time(row, first + 7),
                time(row, first + 8),
                row.getDouble(first + 9));
    }

    private static @Nullable Duration time(ResultSet row, int column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Duration.ofNanos(micros * 1_000);
    }
}
