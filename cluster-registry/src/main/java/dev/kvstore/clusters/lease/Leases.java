package dev.kvstore.clusters.lease;

import dev.kvstore.clusters.address.AddressPattern;
import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.Rules;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Members and their leases, in the database. Thread-safe. */
public final class Leases {
    /** SQL states of a transaction that another one preceded, so that the row is no longer as it was read. */
    private static final Set<String> ANOTHER_CAME_FIRST = Set.of("23505", "40001", "40P01");

    private static final int TRIES = 3;

    /**
     * Most leases of a cluster: the bearer of a join token may ask for any number of them. A lease that has ended counts
     * until it is forgotten. Processes that join at the same time may exceed this by a few.
     */
    static final int MOST_OF_CLUSTER = 4_096;

    private final DataSource database;
    private final Clock clock;
    private final int mostOfCluster;

    /**
     * @param clock the clock by which all leases are judged
     */
    public Leases(DataSource database, Clock clock) {
        this(database, clock, MOST_OF_CLUSTER);
    }

    /** @param mostOfCluster most leases of a cluster */
    public Leases(DataSource database, Clock clock, int mostOfCluster) {
        this.database = database;
        this.clock = clock;
        this.mostOfCluster = mostOfCluster;
    }

    /**
     * Gives a process a lease, or renews the one that this instance has.
     *
     * @throws SQLException if the database does not answer
     */
    public Join join(Registration joining) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return Sql.inTransaction(database, connection -> join(connection, joining));
            } catch (SQLException e) {
                if (tries == TRIES || !ANOTHER_CAME_FIRST.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
            }
        }
    }

    private record LeaseCluster(String region, ClusterState state, List<String> addresses) {}

    private Join join(Connection connection, Registration joining) throws SQLException {
        oneAtATime(connection, joining);
        LeaseCluster home = home(connection, joining.cluster());
        if (home == null) {
            return new Join.NoCluster("cluster: " + joining.cluster() + " is not registered");
        }
        if (home.state() == ClusterState.OFFLINE) {
            return new Join.NoCluster("cluster: " + joining.cluster() + " is offline");
        }
        Optional<String> outside = outside(home.addresses(), joining);
        if (outside.isPresent()) {
            return new Join.Outside(outside.get());
        }
        Instant now = clock.instant();
        return switch (JoinDecision.of(joining, there(connection, joining), now)) {
            case JoinDecision.OtherMember(String reason) -> new Join.Taken(reason);
            case JoinDecision.KnownMember(UUID lease) -> {
                boolean draining = register(connection, joining, now);
                renew(connection, lease, joining, now);
                yield new Join.Joined(lease, home.region(), false, draining || home.state() == ClusterState.DRAINING);
            }
            case JoinDecision.Free _
            when others(connection, joining) >= mostOfCluster ->
                new Join.Full("cluster: " + joining.cluster() + " has " + mostOfCluster
                        + " processes with a lease, which is all that a cluster may have");
            case JoinDecision.Free(Occupant gone) -> {
                if (gone != null) {
                    vacate(connection, gone);
                }
                boolean draining = register(connection, joining, now);
                UUID lease = grant(connection, joining, now);
                yield new Join.Joined(lease, home.region(), true, draining || home.state() == ClusterState.DRAINING);
            }
        };
    }

    /**
     * Names the first address that the cluster does not take, and the patterns of the cluster; empty if it takes both
     * addresses.
     */
    private static Optional<String> outside(List<String> patterns, Registration joining) {
        List<AddressPattern> taken = patterns.stream().map(AddressPattern::of).toList();
        for (Map.Entry<String, String> said : List.of(
                Map.entry("address", joining.address()), Map.entry("remote_address", joining.remoteAddress()))) {
            if (!AddressPattern.anyTakes(taken, said.getValue())) {
                return Optional.of(said.getKey() + ": " + said.getValue() + " is none that the cluster "
                        + joining.cluster() + " takes, which are " + String.join(", ", patterns));
            }
        }
        return Optional.empty();
    }

    /**
     * Registrations of the same name or the same address run one after the other, so that each sees the outcome of the
     * others.
     */
    private static void oneAtATime(Connection connection, Registration joining) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement("""
                select pg_advisory_xact_lock(wanted) from (
                    select hashtextextended(name, 0) as wanted from unnest(array[?, ?]) as name order by wanted) ordered""")) {
            lock.setString(1, "process " + joining.cluster() + "/" + joining.process());
            lock.setString(2, "address " + joining.address());
            lock.executeQuery().close();
        }
    }

    /** The cluster that a process joins, locked so that it is not deleted meanwhile; null if there is none. */
    private static @Nullable LeaseCluster home(Connection connection, String cluster) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "select region, state, addresses from cluster where name = ? for key share")) {
            select.setString(1, cluster);
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? new LeaseCluster(row.getString(1), ClusterState.valueOf(row.getString(2)), List.of((String[])
                                row.getArray(3).getArray()))
                        : null;
            }
        }
    }

    private static List<Occupant> there(Connection connection, Registration joining) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                select p.cluster, p.name, p.address, p.declared, l.id, l.instance, h.ends_at
                from process p
                left join lease l on l.cluster = p.cluster and l.process = p.name
                left join heartbeat h on h.lease = l.id
                where p.cluster = ? and p.name = ? or p.address = ?
                for update of p""")) {
            select.setString(1, joining.cluster());
            select.setString(2, joining.process());
            select.setString(3, joining.address());
            List<Occupant> there = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    UUID lease = row.getObject(5, UUID.class);
                    there.add(new Occupant(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            row.getBoolean(4),
                            lease == null
                                    ? null
                                    : new Occupant.HeldLease(lease, row.getString(6), Sql.instant(row, 7))));
                }
            }
            return there;
        }
    }

    /** The number of the cluster's leases beside that of this process. */
    private static long others(Connection connection, Registration joining) throws SQLException {
        try (PreparedStatement count =
                connection.prepareStatement("select count(*) from lease where cluster = ? and process <> ?")) {
            count.setString(1, joining.cluster());
            count.setString(2, joining.process());
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /**
     * Takes the address from a process, since another process has it now. An operator's wish to drain it is kept for
     * when it comes back.
     */
    private static void vacate(Connection connection, Occupant gone) throws SQLException {
        for (String statement : List.of(
                "delete from process where cluster = ? and name = ? and not draining",
                "delete from lease where cluster = ? and process = ?",
                "update process set address = null, version = version + 1 where cluster = ? and name = ?")) {
            try (PreparedStatement update = connection.prepareStatement(statement)) {
                update.setString(1, gone.cluster());
                update.setString(2, gone.name());
                update.executeUpdate();
            }
        }
    }

    /** Stores the process. Returns whether an operator wants it to drain. */
    private static boolean register(Connection connection, Registration joining, Instant now) throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement("""
                insert into process as p (cluster, name, address, numa_node, created_at, version, declared, draining)
                values (?, ?, ?, ?, ?, (extract(epoch from clock_timestamp()) * 1000000)::bigint, false, false)
                on conflict (cluster, name) do update set address = excluded.address, numa_node = excluded.numa_node,
                    version = p.version + case when p.address is not distinct from excluded.address
                        and p.numa_node is not distinct from excluded.numa_node then 0 else 1 end
                returning draining""")) {
            upsert.setString(1, joining.cluster());
            upsert.setString(2, joining.process());
            upsert.setString(3, joining.address());
            upsert.setObject(4, joining.numaNode(), java.sql.Types.INTEGER);
            upsert.setObject(5, Sql.time(now));
            try (ResultSet row = upsert.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private static void renew(Connection connection, UUID lease, Registration joining, Instant now)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "update lease set remote_address = ?, peer_token = ?, program = ? where id = ?")) {
            update.setString(1, joining.remoteAddress());
            update.setString(2, joining.peerToken());
            update.setString(3, joining.program());
            update.setObject(4, lease);
            update.executeUpdate();
        }
        try (PreparedStatement update = connection.prepareStatement("""
                update heartbeat set ends_at = greatest(ends_at, ?), heard_at = ?, max_bytes_per_second = ?,
                    max_operations = ?, memory_tier_bytes = ?, disk_tier_bytes = ?, cpus = ?
                where lease = ?""")) {
            setTimesAndCapacity(update, 1, now, joining.capacity());
            update.setObject(8, lease);
            update.executeUpdate();
        }
    }

    private static UUID grant(Connection connection, Registration joining, Instant now) throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement delete =
                connection.prepareStatement("delete from lease where cluster = ? and process = ?")) {
            delete.setString(1, joining.cluster());
            delete.setString(2, joining.process());
            delete.executeUpdate();
        }
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into lease (id, cluster, process, instance, remote_address, peer_token, program, joined_at)
                values (?, ?, ?, ?, ?, ?, ?, ?)""")) {
            insert.setObject(1, id);
            insert.setString(2, joining.cluster());
            insert.setString(3, joining.process());
            insert.setString(4, joining.instance());
            insert.setString(5, joining.remoteAddress());
            insert.setString(6, joining.peerToken());
            insert.setString(7, joining.program());
            insert.setObject(8, Sql.time(now));
            insert.executeUpdate();
        }
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into heartbeat (ends_at, heard_at, max_bytes_per_second, max_operations, memory_tier_bytes,
                    disk_tier_bytes, cpus, lease, draining, bytes_per_second, operations, streams, cpu, memory,
                    memory_tier, disk_tier, rejected_per_second, refreshes)
                select ?, ?, ?, ?, ?, ?, ?, ?, false, 0, 0, 0, 0, 0, 0, 0, 0, refreshes from process
                where cluster = ? and name = ?""")) {
            setTimesAndCapacity(insert, 1, now, joining.capacity());
            insert.setObject(8, id);
            insert.setString(9, joining.cluster());
            insert.setString(10, joining.process());
            insert.executeUpdate();
        }
        return id;
    }

    private static void setTimesAndCapacity(PreparedStatement statement, int first, Instant now, Capacity capacity)
            throws SQLException {
        statement.setObject(first, Sql.time(now.plus(Rules.LEASE)));
        statement.setObject(first + 1, Sql.time(now));
        statement.setLong(first + 2, capacity.bytesPerSecond());
        statement.setInt(first + 3, capacity.operations());
        statement.setLong(first + 4, capacity.memoryTierBytes());
        statement.setLong(first + 5, capacity.diskTierBytes());
        statement.setInt(first + 6, capacity.cpus());
    }

    /**
     * Ends a lease. Settings of an operator for the process stay.
     *
     * @param scope the processes whose lease may be ended
     * @return {@code cluster/process}; empty if there is no such lease
     * @throws SQLException if the database does not answer
     */
    public Optional<String> leave(UUID lease, ProcessScope scope) throws SQLException {
        return Sql.inTransaction(database, connection -> {
            Optional<LeaseHolder> holder = LeaseHolder.find(connection, lease).filter(found -> found.isIn(scope));
            if (holder.isEmpty()) {
                return Optional.empty();
            }
            try (PreparedStatement delete = connection.prepareStatement("""
                    with left_ as (delete from lease where id = ? returning cluster, process),
                    forgotten as (
                        delete from process p using left_ l
                        where p.cluster = l.cluster and p.name = l.process and not p.declared and not p.draining)
                    select cluster || '/' || process from left_""")) {
                delete.setObject(1, lease);
                try (ResultSet row = delete.executeQuery()) {
                    return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
                }
            }
        });
    }
}
