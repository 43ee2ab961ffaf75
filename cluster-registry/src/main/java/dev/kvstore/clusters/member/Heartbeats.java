package dev.kvstore.clusters.member;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Rules;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps heartbeats: many in one statement, since a transaction costs the database more than a row does. Thread-safe.
 *
 * <p>Its commits do not wait for the disk. If the database's machine crashes, the heartbeats of the last fraction of a
 * second are lost; leases last for several heartbeats, and the time without a database is made up for.
 */
public final class Heartbeats {
    /** A column of the table: its name and type in PostgreSQL, and its value in a heartbeat. */
    private record HeartbeatColumn(String name, String type, Function<Beat, @Nullable Object> value) {}

    private static final List<HeartbeatColumn> COLUMNS = List.of(
            new HeartbeatColumn("lease", "uuid", Beat::lease),
            new HeartbeatColumn("cluster", "text", beat -> beat.scope().cluster()),
            new HeartbeatColumn("node", "text", beat -> beat.scope().node()),
            new HeartbeatColumn("draining", "bool", Beat::draining),
            new HeartbeatColumn("max_bytes_per_second", "int8", beat -> of(beat, Capacity::bytesPerSecond)),
            new HeartbeatColumn("max_operations", "int4", beat -> of(beat, Capacity::operations)),
            new HeartbeatColumn("memory_tier_bytes", "int8", beat -> of(beat, Capacity::memoryTierBytes)),
            new HeartbeatColumn("disk_tier_bytes", "int8", beat -> of(beat, Capacity::diskTierBytes)),
            new HeartbeatColumn("cpus", "int4", beat -> of(beat, Capacity::cpus)),
            new HeartbeatColumn("bytes_per_second", "int8", beat -> beat.load().bytesPerSecond()),
            new HeartbeatColumn("operations", "int4", beat -> beat.load().operations()),
            new HeartbeatColumn("streams", "int4", beat -> beat.load().streams()),
            new HeartbeatColumn("cpu", "float8", beat -> beat.load().cpu()),
            new HeartbeatColumn("memory", "float8", beat -> beat.load().memory()),
            new HeartbeatColumn("memory_tier", "float8", beat -> beat.load().memoryTier()),
            new HeartbeatColumn("disk_tier", "float8", beat -> beat.load().diskTier()),
            new HeartbeatColumn(
                    "latency_p50", "int8", beat -> micros(beat.load().latencyP50())),
            new HeartbeatColumn(
                    "latency_p99", "int8", beat -> micros(beat.load().latencyP99())),
            new HeartbeatColumn(
                    "rejected_per_second", "float8", beat -> beat.load().rejectedPerSecond()));

    private static final String UPDATE = """
            update heartbeat h set
                ends_at = greatest(h.ends_at, :end), heard_at = :now, refreshes = greatest(h.refreshes, p.refreshes), draining = u.draining,
                max_bytes_per_second = coalesce(u.max_bytes_per_second, h.max_bytes_per_second),
                max_operations = coalesce(u.max_operations, h.max_operations),
                memory_tier_bytes = coalesce(u.memory_tier_bytes, h.memory_tier_bytes),
                disk_tier_bytes = coalesce(u.disk_tier_bytes, h.disk_tier_bytes),
                cpus = coalesce(u.cpus, h.cpus),
                bytes_per_second = u.bytes_per_second, operations = u.operations, streams = u.streams,
                cpu = u.cpu, memory = u.memory, memory_tier = u.memory_tier, disk_tier = u.disk_tier,
                latency_p50_micros = u.latency_p50, latency_p99_micros = u.latency_p99,
                rejected_per_second = u.rejected_per_second
            from unnest(%s) as u(%s),
                heartbeat before, lease l, process p, cluster c
            where h.lease = u.lease and before.lease = u.lease and l.id = u.lease
                and p.cluster = l.cluster and p.name = l.process and c.name = l.cluster
                and (u.cluster is null or u.cluster = l.cluster) and (u.node is null or u.node = l.process
                    or starts_with(l.process, u.node) and substr(l.process, length(u.node) + 1) ~ '^-[1-9][0-9]{3,4}$')
            returning h.lease, l.cluster, l.process, p.draining or c.state in ('DRAINING', 'OFFLINE') as drain,
                p.refreshes > before.refreshes as refresh""".formatted(
                    COLUMNS.stream().map(column -> ":" + column.name()).collect(Collectors.joining(", ")),
                    COLUMNS.stream().map(HeartbeatColumn::name).collect(Collectors.joining(", ")));

    /** The columns of the table {@code heartbeat h} that {@link #capacity} and {@link #load} read. */
    static final String FIGURES = """
            h.max_bytes_per_second, h.max_operations, h.memory_tier_bytes, h.disk_tier_bytes, h.cpus,
            h.bytes_per_second, h.operations, h.streams, h.cpu, h.memory, h.memory_tier, h.disk_tier,
            h.latency_p50_micros, h.latency_p99_micros, h.rejected_per_second""";

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
        return Transactions.run(database, connection -> {
            var _ = Sql.on(connection, "set local synchronous_commit = off").run();
            Instant now = clock.instant();
            Sql update = Sql.on(connection, UPDATE).with("now", now).with("end", now.plus(Rules.LEASE));
            for (HeartbeatColumn column : COLUMNS) {
                var _ = update.array(
                        column.name(),
                        column.type(),
                        beats.stream().map(column.value()).toList());
            }
            Map<UUID, RenewedLease> heard = new HashMap<>();
            update.each(row -> heard.put(
                    row.getObject("lease", UUID.class),
                    new RenewedLease(
                            row.getString("cluster"),
                            row.getString("process"),
                            row.getBoolean("drain"),
                            row.getBoolean("refresh"))));
            return heard;
        });
    }

    private static @Nullable Object of(Beat beat, Function<Capacity, Object> value) {
        return beat.capacity() == null ? null : value.apply(beat.capacity());
    }

    private static @Nullable Long micros(@Nullable Duration time) {
        return time == null ? null : time.toNanos() / 1_000;
    }

    /** The capacity in a row with the {@link #FIGURES}. */
    static Capacity capacity(ResultSet row) throws SQLException {
        return new Capacity(
                row.getLong("max_bytes_per_second"),
                row.getInt("max_operations"),
                row.getLong("memory_tier_bytes"),
                row.getLong("disk_tier_bytes"),
                row.getInt("cpus"));
    }

    /** The load in a row with the {@link #FIGURES}. */
    static Load load(ResultSet row) throws SQLException {
        return new Load(
                row.getLong("bytes_per_second"),
                row.getInt("operations"),
                row.getInt("streams"),
                row.getDouble("cpu"),
                row.getDouble("memory"),
                row.getDouble("memory_tier"),
                row.getDouble("disk_tier"),
                time(row, "latency_p50_micros"),
                time(row, "latency_p99_micros"),
                row.getDouble("rejected_per_second"));
    }

    private static @Nullable Duration time(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Duration.ofNanos(micros * 1_000);
    }
}
