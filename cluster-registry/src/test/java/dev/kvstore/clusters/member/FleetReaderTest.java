package dev.kvstore.clusters.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.lease.Join;
import dev.kvstore.clusters.lease.Leases;
import dev.kvstore.clusters.lease.ProcessScope;
import dev.kvstore.clusters.lease.Registration;
import dev.kvstore.testing.MovableClock;
import dev.kvstore.testing.postgres.ClassDatabase;
import dev.kvstore.testing.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fleet, as it is read from the database, and what heartbeats change in it. */
class FleetReaderTest {
    private static final Capacity CAPACITY = new Capacity(1_000, 10, 20, 30, 4);

    @SuppressWarnings("NullAway.Init")
    private static ClassDatabase database;

    private final MovableClock clock = new MovableClock();
    private final Leases leases = new Leases(database.source(), clock);
    private final Heartbeats heartbeats = new Heartbeats(database.source(), clock);

    @BeforeAll
    static void start() throws SQLException {
        database = TestPostgres.newDatabase("change", "cluster");
    }

    @BeforeEach
    void register() throws SQLException {
        for (String table : List.of("process", "cluster", "round_trip", "region")) {
            database.execute("delete from " + table);
        }
        for (String region : List.of("eu", "us", "ap")) {
            database.execute("insert into region values ('" + region + "', '" + region + "', now(), 0)");
        }
        database.execute("insert into cluster values ('us-a', 'us', 'DRAINING', now(), now(), 0)");
        database.execute("insert into cluster values ('eu-a', 'eu', 'ACTIVE', now(), now(), 0)");
    }

    private UUID join(String cluster, String process, int port) throws SQLException {
        String address = "10.0.0.1:" + port;
        return ((Join.Joined) leases.join(new Registration(
                        cluster,
                        process,
                        "instance of " + process,
                        address,
                        "far.example.net:" + port,
                        null,
                        CAPACITY,
                        "token of " + process,
                        "1")))
                .lease();
    }

    private FleetReader.FleetSnapshot read(String... withheld) throws SQLException {
        return new FleetReader(database.source(), _ -> Set.of(withheld)).read(clock.instant());
    }

    private static FleetCluster cluster(FleetReader.FleetSnapshot snapshot, String name) {
        return snapshot.fleet().clusters().stream()
                .filter(cluster -> cluster.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Beat beat(UUID lease, Load load) {
        return new Beat(lease, ProcessScope.ALL, load, null, false);
    }

    @Test
    void regionsRoundTripsAndClustersAreThereInOrder() throws SQLException {
        database.execute("insert into round_trip (one, other, micros, version) values ('eu', 'us', 80000, 0)");
        database.execute("update cluster set advertised_address = 'kv.example.net' where name = 'us-a'");

        Fleet fleet = read().fleet();

        assertThat(fleet.at()).isEqualTo(clock.instant());
        assertThat(fleet.regions()).containsExactlyInAnyOrder("eu", "us", "ap");
        assertThat(fleet.roundTrip("us", "eu")).contains(Duration.ofMillis(80));
        assertThat(fleet.roundTrip("us", "ap")).isEmpty();
        assertThat(fleet.clusters())
                .extracting(FleetCluster::name, FleetCluster::region, FleetCluster::state, FleetCluster::advertised)
                .containsExactly(
                        tuple("eu-a", "eu", ClusterState.ACTIVE, null),
                        tuple("us-a", "us", ClusterState.DRAINING, "kv.example.net"));
        assertThat(fleet.clusters())
                .allSatisfy(cluster -> assertThat(cluster.members()).isEmpty());
    }

    @Test
    void aMemberIsThereAsItRegisteredItself() throws SQLException {
        join("eu-a", "p0", 1);

        assertThat(cluster(read(), "eu-a").members())
                .containsExactly(new ClusterMember(
                        "p0",
                        "instance of p0",
                        "10.0.0.1:1",
                        "far.example.net:1",
                        clock.instant(),
                        clock.instant().plus(Rules.LEASE),
                        false,
                        CAPACITY,
                        Load.NONE));
    }

    @Test
    void membersAreInTheOrderOfTheirNamesWithLeasesOrWithout() throws SQLException {
        join("eu-a", "p2", 2);
        clock.move(Rules.LEASE);
        join("eu-a", "p1", 1);
        join("us-a", "p0", 3);

        FleetReader.FleetSnapshot snapshot = read();

        assertThat(cluster(snapshot, "eu-a").members())
                .extracting(ClusterMember::name, member -> member.hasLease(clock.instant()))
                .containsExactly(tuple("p1", true), tuple("p2", false));
        assertThat(cluster(snapshot, "us-a").members())
                .extracting(ClusterMember::name)
                .containsExactly("p0");
    }

    @Test
    void aProcessThatHasNotJoinedIsNoMember() throws SQLException {
        database.execute("insert into process (cluster, name, address, created_at, version, declared, draining)"
                + " values ('eu-a', 'absent', '10.0.0.9:1', now(), 0, true, false)");

        assertThat(cluster(read(), "eu-a").members()).isEmpty();
    }

    @Test
    void peersAreTheMembersOfAClusterThatHoldLeases() throws SQLException {
        join("eu-a", "gone", 1);
        clock.move(Rules.LEASE);
        join("eu-a", "p1", 2);
        join("eu-a", "p0", 3);

        FleetReader.FleetSnapshot snapshot = read();

        assertThat(snapshot.peersOf("eu-a").all())
                .containsExactly(
                        new Peers.Peer("p0", "instance of p0", "10.0.0.1:3", "token of p0"),
                        new Peers.Peer("p1", "instance of p1", "10.0.0.1:2", "token of p1"));
        assertThat(snapshot.peersOf("us-a").all()).isEmpty();
        assertThat(snapshot.peersOf("us-a").version())
                .isEqualTo(snapshot.peersOf("never").version());
    }

    @Test
    void aMemberThatIsWithheldDrainsAndIsNobodysPeer() throws SQLException {
        UUID lease = join("eu-a", "p0", 1);
        join("eu-a", "p1", 2);

        FleetReader.FleetSnapshot snapshot = read(lease.toString());

        assertThat(snapshot.withheld()).containsExactly(lease.toString());
        assertThat(cluster(snapshot, "eu-a").members())
                .extracting(ClusterMember::name, ClusterMember::draining)
                .containsExactly(tuple("p0", true), tuple("p1", false));
        assertThat(snapshot.peersOf("eu-a").all())
                .extracting(Peers.Peer::process)
                .containsExactly("p1");
    }

    @Test
    void aMemberDrainsByItsOwnWordOrAnOperators() throws SQLException {
        UUID own = join("eu-a", "p0", 1);
        join("eu-a", "p1", 2);
        join("eu-a", "p2", 3);
        heartbeats.keep(List.of(new Beat(own, ProcessScope.ALL, Load.NONE, null, true)));
        database.execute("update process set draining = true where name = 'p1'");

        assertThat(cluster(read(), "eu-a").members())
                .extracting(ClusterMember::draining)
                .containsExactly(true, true, false);
    }

    @Test
    void aHeartbeatWithoutACapacityKeepsTheLastOne() throws SQLException {
        UUID lease = join("eu-a", "p0", 1);
        Capacity less = new Capacity(1, 2, 3, 4, 5);
        heartbeats.keep(List.of(new Beat(lease, ProcessScope.ALL, Load.NONE, less, false)));

        heartbeats.keep(List.of(beat(lease, new Load(9, 8, 7, 0.6, 0.5, 0.4, 0.3, null, null, 0.2))));

        ClusterMember member = cluster(read(), "eu-a").members().getFirst();
        assertThat(member.capacity()).isEqualTo(less);
        assertThat(member.load()).isEqualTo(new Load(9, 8, 7, 0.6, 0.5, 0.4, 0.3, null, null, 0.2));
    }

    @Test
    void latenciesAreKeptToTheMicrosecondAndMissingOnesStayMissing() throws SQLException {
        UUID lease = join("eu-a", "p0", 1);
        Load load = new Load(0, 0, 0, 0, 0, 0, 0, Duration.ofNanos(1_234_567_000), null, 0);

        heartbeats.keep(List.of(beat(lease, load)));

        assertThat(cluster(read(), "eu-a").members().getFirst().load()).isEqualTo(load);
    }

    @Test
    void ofALeaseThatIsNotThereNothingIsKeptAndTheOthersAre() throws SQLException {
        UUID lease = join("eu-a", "p0", 1);
        UUID none = UUID.randomUUID();

        assertThat(heartbeats.keep(List.of(beat(none, Load.NONE), beat(lease, Load.NONE))))
                .isEqualTo(Map.of(lease, new RenewedLease("eu-a", "p0", false, false)));
        assertThat(heartbeats.keep(List.of())).isEmpty();
    }

    @Test
    void aHeartbeatNeverShortensALease() throws SQLException {
        UUID lease = join("eu-a", "p0", 1);
        database.execute("update heartbeat set ends_at = ends_at + interval '1 hour'");

        heartbeats.keep(List.of(beat(lease, Load.NONE)));

        assertThat(cluster(read(), "eu-a").members().getFirst().leaseEnd())
                .isEqualTo(clock.instant().plus(Rules.LEASE).plus(Duration.ofHours(1)));
    }

    @Test
    void aReadingThatFailsLeavesNothingBehind() throws SQLException {
        join("eu-a", "p0", 1);
        FleetReader failing = new FleetReader(database.source(), _ -> {
            throw new SQLException("no list of withheld leases");
        });

        assertThatThrownBy(() -> failing.read(clock.instant()))
                .isInstanceOf(SQLException.class)
                .hasMessage("no list of withheld leases");

        assertThat(cluster(read(), "eu-a").members()).hasSize(1);
    }

    @Test
    void aReadingSeesOneMoment() throws SQLException {
        join("eu-a", "p0", 1);
        FleetReader reader = new FleetReader(database.source(), connection -> {
            // The first statement of the reading decides which moment it sees.
            connection.createStatement().executeQuery("select 1").close();
            database.execute("insert into region values ('late', 'late', now(), 0)");
            return Set.of();
        });

        assertThat(reader.read(clock.instant()).fleet().regions()).doesNotContain("late");
        assertThat(read().fleet().regions()).contains("late");
    }

    @Test
    void whoMaySpeakForAProcessIsDecidedInTheDatabaseAsInTheProgram() throws SQLException {
        List<String> names = List.of("n", "n-8085", "n-85", "n-08085", "n-99999", "n-123456", "n-8085-8086", "n2", "m");
        List<ProcessScope> scopes = List.of(
                ProcessScope.ALL,
                ProcessScope.of("eu-a"),
                ProcessScope.of("us-a"),
                new ProcessScope("eu-a", "n"),
                new ProcessScope("eu-a", "n-8085"),
                new ProcessScope("us-a", "n"),
                new ProcessScope("eu-a", "n%"),
                new ProcessScope("eu-a", "_"));
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            UUID lease = join("eu-a", name, i + 1);
            for (ProcessScope scope : scopes) {
                assertThat(heartbeats
                                .keep(List.of(new Beat(lease, scope, Load.NONE, null, false)))
                                .containsKey(lease))
                        .as("%s for %s", scope, name)
                        .isEqualTo(scope.covers("eu-a", name));
            }
        }
    }
}
