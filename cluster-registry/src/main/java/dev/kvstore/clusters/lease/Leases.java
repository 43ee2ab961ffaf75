package dev.kvstore.clusters.lease;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.address.AddressPattern;
import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Rules;
import java.sql.Connection;
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
                return Transactions.run(database, connection -> join(connection, joining));
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
        var _ = Sql.on(connection, """
                        select pg_advisory_xact_lock(wanted) from (
                            select hashtextextended(name, 0) as wanted from unnest(array[:process, :address]) as name
                            order by wanted) ordered""")
                .with("process", "process " + joining.cluster() + "/" + joining.process())
                .with("address", "address " + joining.address())
                .run();
    }

    /** The cluster that a process joins, locked so that it is not deleted meanwhile; null if there is none. */
    private static @Nullable LeaseCluster home(Connection connection, String cluster) throws SQLException {
        return Sql.on(connection, "select region, state, addresses from cluster where name = :cluster for key share")
                .with("cluster", cluster)
                .first(LeaseCluster.class)
                .orElse(null);
    }

    private static List<Occupant> there(Connection connection, Registration joining) throws SQLException {
        return Sql.on(connection, """
                        select p.cluster, p.name, p.address, p.declared, l.id, l.instance, h.ends_at
                        from process p
                        left join lease l on l.cluster = p.cluster and l.process = p.name
                        left join heartbeat h on h.lease = l.id
                        where p.cluster = :cluster and p.name = :process or p.address = :address
                        for update of p""").with(joining).list(Occupant::of);
    }

    /** The number of the cluster's leases beside that of this process. */
    private static long others(Connection connection, Registration joining) throws SQLException {
        return Sql.on(connection, "select count(*) from lease where cluster = :cluster and process <> :process")
                .with(joining)
                .only(Long.class);
    }

    /**
     * Takes the address from a process, since another process has it now. An operator's wish to drain it is kept for
     * when it comes back.
     */
    private static void vacate(Connection connection, Occupant gone) throws SQLException {
        for (String statement : List.of(
                "delete from process where cluster = :cluster and name = :name and not draining",
                "delete from lease where cluster = :cluster and process = :name",
                "update process set address = null, version = version + 1 where cluster = :cluster and name = :name")) {
            var _ = Sql.on(connection, statement).with(gone).run();
        }
    }

    /** Stores the process. Returns whether an operator wants it to drain. */
    private static boolean register(Connection connection, Registration joining, Instant now) throws SQLException {
        return Sql.on(connection, """
                        insert into process as p (cluster, name, address, numa_node, created_at, version, declared, draining)
                        values (:cluster, :process, :address, :numaNode, :now,
                            (extract(epoch from clock_timestamp()) * 1000000)::bigint, false, false)
                        on conflict (cluster, name) do update set address = excluded.address, numa_node = excluded.numa_node,
                            version = p.version + case when p.address is not distinct from excluded.address
                                and p.numa_node is not distinct from excluded.numa_node then 0 else 1 end
                        returning draining""").with(joining).with("now", now).only(Boolean.class);
    }

    private static void renew(Connection connection, UUID lease, Registration joining, Instant now)
            throws SQLException {
        var _ = Sql.on(connection, """
                        update lease set remote_address = :remoteAddress, peer_token = :peerToken, program = :program
                        where id = :lease""").with(joining).with("lease", lease).run();
        var _ = Sql.on(connection, """
                        update heartbeat set ends_at = greatest(ends_at, :end), heard_at = :now,
                            max_bytes_per_second = :bytesPerSecond, max_operations = :operations,
                            memory_tier_bytes = :memoryTierBytes, disk_tier_bytes = :diskTierBytes, cpus = :cpus
                        where lease = :lease""")
                .with(joining.capacity())
                .with("lease", lease)
                .with("now", now)
                .with("end", now.plus(Rules.LEASE))
                .run();
    }

    private static UUID grant(Connection connection, Registration joining, Instant now) throws SQLException {
        UUID id = UUID.randomUUID();
        var _ = Sql.on(connection, "delete from lease where cluster = :cluster and process = :process")
                .with(joining)
                .run();
        var _ = Sql.on(connection, """
                        insert into lease (id, cluster, process, instance, remote_address, peer_token, program, joined_at)
                        values (:id, :cluster, :process, :instance, :remoteAddress, :peerToken, :program, :now)""")
                .with(joining)
                .with("id", id)
                .with("now", now)
                .run();
        var _ = Sql.on(connection, """
                        insert into heartbeat (ends_at, heard_at, max_bytes_per_second, max_operations, memory_tier_bytes,
                            disk_tier_bytes, cpus, lease, draining, bytes_per_second, operations, streams, cpu, memory,
                            memory_tier, disk_tier, rejected_per_second, refreshes)
                        select :end, :now, :bytesPerSecond, :operations, :memoryTierBytes, :diskTierBytes, :cpus, :id,
                            false, 0, 0, 0, 0, 0, 0, 0, 0, refreshes from process
                        where cluster = :cluster and name = :process""")
                .with(joining)
                .with(joining.capacity())
                .with("id", id)
                .with("now", now)
                .with("end", now.plus(Rules.LEASE))
                .run();
        return id;
    }

    /**
     * Ends a lease. Settings of an operator for the process stay.
     *
     * @param scope the processes whose lease may be ended
     * @return {@code cluster/process}; empty if there is no such lease
     * @throws SQLException if the database does not answer
     */
    public Optional<String> leave(UUID lease, ProcessScope scope) throws SQLException {
        return Transactions.run(database, connection -> {
            Optional<LeaseHolder> holder = LeaseHolder.find(connection, lease).filter(found -> found.isIn(scope));
            if (holder.isEmpty()) {
                return Optional.empty();
            }
            return Sql.on(connection, """
                            with left_ as (delete from lease where id = :lease returning cluster, process),
                            forgotten as (
                                delete from process p using left_ l
                                where p.cluster = l.cluster and p.name = l.process and not p.declared and not p.draining)
                            select cluster || '/' || process from left_""").with("lease", lease).first(String.class);
        });
    }

    /**
     * Deletes data planes whose leases ended before a moment. Locks the rows first, so that a lease which a heartbeat
     * renews at this moment is not deleted.
     *
     * @param clusters the clusters of the data planes, in the order of their names
     * @return {@code cluster/process} of the deleted data planes
     * @throws SQLException if the database does not answer; then no data plane was deleted
     */
    public static List<String> evict(DataSource database, List<String> clusters, List<String> processes, Instant cutoff)
            throws SQLException {
        return Transactions.run(database, connection -> {
            List<String> evicted = new ArrayList<>();
            List<UUID> leases = new ArrayList<>();
            Sql.on(connection, """
                            select l.id, l.cluster || '/' || l.process as name
                            from unnest(:clusters, :processes) as gone(cluster, process)
                            join lease l on l.cluster = gone.cluster and l.process = gone.process
                            join heartbeat h on h.lease = l.id
                            where h.ends_at <= :cutoff
                            for update of h skip locked""")
                    .array("clusters", "text", clusters)
                    .array("processes", "text", processes)
                    .with("cutoff", cutoff)
                    .each(row -> {
                        leases.add(row.getObject("id", UUID.class));
                        evicted.add(row.getString("name"));
                    });
            var _ = Sql.on(connection, """
                            with gone as (delete from lease where id = any(:leases) returning cluster, process)
                            delete from process p using gone
                            where p.cluster = gone.cluster and p.name = gone.process and not p.declared
                            and not p.draining""").array("leases", "uuid", leases).run();
            return evicted;
        });
    }
}
