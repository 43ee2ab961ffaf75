package dev.kvstore.clusters.member;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.lease.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** Reads the fleet from the database. Thread-safe. */
public final class FleetReader {
    /**
     * The fleet, and the lists of peers that members get.
     *
     * @param peers by cluster; clusters without any are left out
     * @param withheld leases of members that are in no route and no peers of others
     */
    public record FleetSnapshot(Fleet fleet, Map<String, Peers> peers, Set<String> withheld) {
        /** No peers. */
        static final Peers NONE = Peers.of(List.of());

        /** The processes of a cluster that hold leases. */
        public Peers peersOf(String cluster) {
            return peers.getOrDefault(cluster, NONE);
        }
    }

    /** The leases of members that must be in no route for now, whatever the members report. */
    @FunctionalInterface
    public interface WithheldLeases {
        /** Reads the ids of the leases, as Register gave them. */
        Set<String> in(Connection connection) throws SQLException;
    }

    private final DataSource database;
    private final WithheldLeases withheldLeases;

    /** @param withheldLeases asked in each reading */
    public FleetReader(DataSource database, WithheldLeases withheldLeases) {
        this.database = database;
        this.withheldLeases = withheldLeases;
    }

    /**
     * Reads the fleet as it is at one moment.
     *
     * @param at the time by which leases are judged; see {@link OutageDetector.BeatOutcome}
     * @throws SQLException if the database does not answer
     */
    public FleetSnapshot read(Instant at) throws SQLException {
        return Sql.inTransaction(database, connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set transaction isolation level repeatable read, read only");
            }
            Set<String> withheld = withheldLeases.in(connection);
            Map<String, ClusterMembers> joined = members(connection, at, withheld);
            Map<String, Peers> peers = new HashMap<>();
            joined.forEach((cluster, all) -> {
                if (!all.peers().isEmpty()) {
                    peers.put(cluster, Peers.of(all.peers()));
                }
            });
            return new FleetSnapshot(
                    new Fleet(at, regions(connection), roundTrips(connection), clusters(connection, joined)),
                    Map.copyOf(peers),
                    Set.copyOf(withheld));
        });
    }

    /** The members of a cluster. */
    private record ClusterMembers(List<ClusterMember> members, List<Peers.Peer> peers) {
        ClusterMembers() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    private static Map<String, ClusterMembers> members(Connection connection, Instant at, Set<String> withheld)
            throws SQLException {
        Map<String, ClusterMembers> joined = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select p.cluster, p.name, l.instance, p.address, l.remote_address, l.peer_token, l.joined_at,
                            h.ends_at, h.draining or p.draining, h.max_bytes_per_second, h.max_operations,
                            h.memory_tier_bytes, h.disk_tier_bytes, h.cpus, h.bytes_per_second, h.operations, h.streams,
                            h.cpu, h.memory, h.memory_tier, h.disk_tier, h.latency_p50_micros, h.latency_p99_micros,
                            h.rejected_per_second, l.id::text
                        from heartbeat h join lease l on l.id = h.lease
                        join process p on p.cluster = l.cluster and p.name = l.process
                        order by p.cluster, p.name""")) {
            while (row.next()) {
                boolean isWithheld = withheld.contains(row.getString(25));
                ClusterMember member = new ClusterMember(
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        Sql.instant(row, 7),
                        Sql.instant(row, 8),
                        row.getBoolean(9) || isWithheld,
                        Heartbeats.capacity(row, 10),
                        Heartbeats.load(row, 15));
                ClusterMembers clusterMembers = joined.computeIfAbsent(row.getString(1), _ -> new ClusterMembers());
                clusterMembers.members().add(member);
                if (member.hasLease(at) && !isWithheld) {
                    clusterMembers
                            .peers()
                            .add(new Peers.Peer(member.name(), member.instance(), member.address(), row.getString(6)));
                }
            }
        }
        return joined;
    }

    private static Set<String> regions(Connection connection) throws SQLException {
        Set<String> regions = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select name from region")) {
            while (row.next()) {
                regions.add(row.getString(1));
            }
        }
        return regions;
    }

    private static Map<Fleet.RegionPair, Duration> roundTrips(Connection connection) throws SQLException {
        Map<Fleet.RegionPair, Duration> roundTrips = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select one, other, micros from round_trip")) {
            while (row.next()) {
                roundTrips.put(
                        Fleet.RegionPair.of(row.getString(1), row.getString(2)),
                        Duration.ofNanos(row.getLong(3) * 1_000));
            }
        }
        return roundTrips;
    }

    private static List<FleetCluster> clusters(Connection connection, Map<String, ClusterMembers> joined)
            throws SQLException {
        List<FleetCluster> clusters = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select name, region, state, advertised_address from cluster order by name")) {
            while (row.next()) {
                ClusterMembers clusterMembers = joined.get(row.getString(1));
                clusters.add(new FleetCluster(
                        row.getString(1),
                        row.getString(2),
                        ClusterState.valueOf(row.getString(3)),
                        row.getString(4),
                        clusterMembers == null ? List.of() : clusterMembers.members()));
            }
        }
        return clusters;
    }
}
