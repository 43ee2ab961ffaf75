package dev.kvstore.clusters.member;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import java.sql.Connection;
import java.sql.SQLException;
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
        return Transactions.run(database, connection -> {
            var _ = Sql.on(connection, "set transaction isolation level repeatable read, read only")
                    .run();
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
        Sql.on(connection, """
                select p.cluster, p.name, l.instance, p.address, l.remote_address, l.peer_token, l.joined_at, h.ends_at,
                    h.draining or p.draining as draining, l.id::text as lease, %s
                from heartbeat h join lease l on l.id = h.lease
                join process p on p.cluster = l.cluster and p.name = l.process
                order by p.cluster, p.name""".formatted(Heartbeats.FIGURES)).each(row -> {
            boolean isWithheld = withheld.contains(row.getString("lease"));
            ClusterMember member = new ClusterMember(
                    row.getString("name"),
                    row.getString("instance"),
                    row.getString("address"),
                    row.getString("remote_address"),
                    Sql.time(row, "joined_at"),
                    Sql.time(row, "ends_at"),
                    row.getBoolean("draining") || isWithheld,
                    Heartbeats.capacity(row),
                    Heartbeats.load(row));
            ClusterMembers clusterMembers = joined.computeIfAbsent(row.getString("cluster"), _ -> new ClusterMembers());
            clusterMembers.members().add(member);
            if (member.hasLease(at) && !isWithheld) {
                clusterMembers
                        .peers()
                        .add(new Peers.Peer(
                                member.name(), member.instance(), member.address(), row.getString("peer_token")));
            }
        });
        return joined;
    }

    private static Set<String> regions(Connection connection) throws SQLException {
        return new HashSet<>(Sql.on(connection, "select name from region").list(String.class));
    }

    private static Map<Fleet.RegionPair, Duration> roundTrips(Connection connection) throws SQLException {
        Map<Fleet.RegionPair, Duration> roundTrips = new HashMap<>();
        Sql.on(connection, "select one, other, micros from round_trip")
                .each(row -> roundTrips.put(
                        Fleet.RegionPair.of(row.getString("one"), row.getString("other")),
                        Duration.ofNanos(row.getLong("micros") * 1_000)));
        return roundTrips;
    }

    private static List<FleetCluster> clusters(Connection connection, Map<String, ClusterMembers> joined)
            throws SQLException {
        return Sql.on(connection, "select name, region, state, advertised_address from cluster order by name")
                .list(row -> {
                    ClusterMembers clusterMembers = joined.get(row.getString("name"));
                    return new FleetCluster(
                            row.getString("name"),
                            row.getString("region"),
                            ClusterState.valueOf(row.getString("state")),
                            row.getString("advertised_address"),
                            clusterMembers == null ? List.of() : clusterMembers.members());
                });
    }
}
