package dev.kvstore.clusters.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.member.MemberView;
import dev.kvstore.clusters.member.Members;
import dev.kvstore.testing.MovableClock;
import dev.kvstore.testing.postgres.ClassDatabase;
import dev.kvstore.testing.postgres.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The processes that a cluster takes in, and the rows that it keeps of them. */
class JoinsTest {
    private static final Capacity CAPACITY = new Capacity(1_000, 10, 20, 30, 4);

    @SuppressWarnings("NullAway.Init")
    private static ClassDatabase database;

    private final MovableClock clock = new MovableClock();
    private final Leases leases = new Leases(database.source(), clock);
    private final Members members = new Members(database.source(), clock);

    @BeforeAll
    static void start() throws SQLException {
        database = TestPostgres.newDatabase("change", "cluster");
    }

    @BeforeEach
    void emptyClusters() throws SQLException {
        database.execute("delete from process");
        database.execute("delete from cluster");
        database.execute("insert into region values ('eu', 'eu', now(), 0) on conflict do nothing");
        for (String cluster : List.of("eu-a", "eu-b")) {
            database.execute("insert into cluster values ('" + cluster + "', 'eu', 'ACTIVE', now(), now(), 0)");
        }
    }

    /** A process that wants to join; each test changes what it is about. */
    private record Joining(
            String cluster,
            String process,
            String instance,
            String address,
            @Nullable Integer numaNode) {
        Registration registration() {
            return new Registration(
                    cluster, process, instance, address, address, numaNode, CAPACITY, "token of " + instance, "1.2.3");
        }

        Joining instance(String other) {
            return new Joining(cluster, process, other, address, numaNode);
        }

        Joining address(String other) {
            return new Joining(cluster, process, instance, other, numaNode);
        }

        Joining process(String other) {
            return new Joining(cluster, other, instance, address, numaNode);
        }

        Joining cluster(String other) {
            return new Joining(other, process, instance, address, numaNode);
        }
    }

    private static final Joining P0 = new Joining("eu-a", "p0", "one", "10.0.0.1:1", 3);

    private Join join(Joining joining) throws SQLException {
        return leases.join(joining.registration());
    }

    private Join.Joined joined(Joining joining) throws SQLException {
        Join join = join(joining);
        assertThat(join).isInstanceOf(Join.Joined.class);
        return (Join.Joined) join;
    }

    private static void cluster(String change) throws SQLException {
        database.execute("update cluster set " + change + " where name = 'eu-a'");
    }

    @Test
    void aProcessThatJoinsHasALeaseAndIsAMember() throws SQLException {
        Join.Joined joined = joined(P0);

        assertThat(joined.region()).isEqualTo("eu");
        assertThat(joined.anew()).isTrue();
        assertThat(joined.drain()).isFalse();
        assertThat(members.holder(joined.lease())).contains(new LeaseHolder(joined.lease(), "eu", "eu-a", "p0"));
        MemberView member =
                Objects.requireNonNull(members.of("eu-a", List.of("p0")).get("p0"));
        assertThat(member.instance()).isEqualTo("one");
        assertThat(member.program()).isEqualTo("1.2.3");
        assertThat(member.capacity()).isEqualTo(CAPACITY);
        assertThat(member.joinedAt()).isEqualTo(clock.instant());
        assertThat(member.heardAt()).isEqualTo(clock.instant());
        assertThat(member.leaseEndsAt()).isEqualTo(clock.instant().plus(Rules.LEASE));
        assertThat(database.text("select address || ' ' || numa_node || ' ' || declared from process"))
                .isEqualTo("10.0.0.1:1 3 false");
    }

    @Test
    void theSameInstanceThatRegistersAgainKeepsItsLease() throws SQLException {
        UUID lease = joined(P0).lease();
        clock.move(Rules.HEARTBEAT);

        Join.Joined again = joined(P0);

        assertThat(again).isEqualTo(new Join.Joined(lease, "eu", false, false));
        assertThat(Objects.requireNonNull(members.of("eu-a", List.of("p0")).get("p0"))
                        .leaseEndsAt())
                .isEqualTo(clock.instant().plus(Rules.LEASE));
    }

    @Test
    void anInstanceThatMovedKeepsItsLeaseAtItsNewAddress() throws SQLException {
        UUID lease = joined(P0).lease();

        assertThat(joined(P0.address("10.0.0.2:1"))).isEqualTo(new Join.Joined(lease, "eu", false, false));

        assertThat(database.text("select address from process")).isEqualTo("10.0.0.2:1");
    }

    @Test
    void aNewInstanceAtTheSameAddressTakesThePlaceOfTheOld() throws SQLException {
        UUID old = joined(P0).lease();

        Join.Joined restarted = joined(P0.instance("two"));

        assertThat(restarted.anew()).isTrue();
        assertThat(restarted.lease()).isNotEqualTo(old);
        assertThat(members.holder(old)).isEmpty();
        assertThat(database.number("select count(*) from lease")).isEqualTo(1);
    }

    @Test
    void anotherInstanceAtAnotherAddressWaitsForTheEndOfTheLease() throws SQLException {
        joined(P0);
        Joining other = P0.instance("two").address("10.0.0.2:1");

        assertThat(join(other))
                .isEqualTo(new Join.Taken("process: another instance of eu-a/p0 holds a lease at 10.0.0.1:1"));
        clock.move(Rules.LEASE.minusNanos(1_000));
        assertThat(join(other)).isInstanceOf(Join.Taken.class);

        clock.move(java.time.Duration.ofNanos(1_000));
        assertThat(joined(other).anew()).isTrue();
    }

    @Test
    void anAddressAtWhichAnotherHoldsALeaseIsTaken() throws SQLException {
        joined(P0);

        for (Joining late : List.of(P0.process("p1"), P0.cluster("eu-b"))) {
            assertThat(join(late.instance("two")))
                    .isEqualTo(new Join.Taken("address: eu-a/p0 holds a lease at 10.0.0.1:1"));
        }
        assertThat(database.number("select count(*) from process")).isEqualTo(1);
    }

    @Test
    void anAddressThatAnOperatorRegisteredIsForThatProcessAlone() throws SQLException {
        database.execute("insert into process (cluster, name, address, created_at, version, declared, draining)"
                + " values ('eu-a', 'registered', '10.0.0.1:1', now(), 0, true, false)");

        assertThat(join(P0))
                .isEqualTo(new Join.Taken("address: 10.0.0.1:1 is registered as eu-a/registered: join under that name,"
                        + " or have an operator delete it"));
        assertThat(joined(P0.process("registered")).anew()).isTrue();
    }

    @Test
    void theSameNameInAnotherClusterIsAnotherProcess() throws SQLException {
        joined(P0);

        assertThat(joined(P0.cluster("eu-b").instance("two").address("10.0.0.2:1"))
                        .anew())
                .isTrue();

        assertThat(database.number("select count(*) from lease")).isEqualTo(2);
    }

    @Test
    void aClusterThatIsNotRegisteredOrIsOfflineTakesNobodyIn() throws SQLException {
        assertThat(join(P0.cluster("never"))).isEqualTo(new Join.NoCluster("cluster: never is not registered"));

        cluster("state = 'OFFLINE'");
        assertThat(join(P0)).isEqualTo(new Join.NoCluster("cluster: eu-a is offline"));
        assertThat(database.number("select count(*) from process")).isZero();

        for (String state : List.of("PROVISIONING", "ACTIVE", "DRAINING")) {
            cluster("state = '" + state + "'");
            assertThat(join(P0)).isInstanceOf(Join.Joined.class);
        }
    }

    @Test
    void whoJoinsAClusterThatDrainsIsToldToDrain() throws SQLException {
        cluster("state = 'DRAINING'");

        assertThat(joined(P0).drain()).isTrue();
        assertThat(joined(P0).drain()).isTrue();

        cluster("state = 'ACTIVE'");
        assertThat(joined(P0).drain()).isFalse();
        database.execute("update process set draining = true");
        assertThat(joined(P0).drain()).isTrue();
        assertThat(joined(P0.instance("two")).drain()).isTrue();
    }

    @Test
    void anAddressThatTheClusterDoesNotTakeIsNamedWithItsPatterns() throws SQLException {
        cluster("addresses = array['10.0.0.0/24:1-9', '*.kv.example.com']");

        assertThat(join(P0.address("10.0.1.1:1")))
                .isEqualTo(new Join.Outside("address: 10.0.1.1:1 is none that the cluster eu-a takes, which are"
                        + " 10.0.0.0/24:1-9, *.kv.example.com"));
        assertThat(leases.join(new Registration(
                        "eu-a", "p0", "one", "10.0.0.1:1", "10.9.0.1:1", null, CAPACITY, "token", "1")))
                .isInstanceOfSatisfying(
                        Join.Outside.class,
                        outside -> assertThat(outside.reason()).startsWith("remote_address: 10.9.0.1:1 is none"));
        assertThat(join(P0.address("n1.kv.example.com:1"))).isInstanceOf(Join.Joined.class);
    }

    @Test
    void aProcessThatRegistersAgainIsNotTurnedAwayByAFullCluster() throws SQLException {
        Leases one = new Leases(database.source(), clock, 1);
        joined(P0);

        assertThat(one.join(
                        P0.process("p1").instance("two").address("10.0.0.2:1").registration()))
                .isInstanceOf(Join.Full.class);
        assertThat(one.join(P0.registration())).isInstanceOf(Join.Joined.class);
        assertThat(one.join(P0.instance("two").registration())).isInstanceOf(Join.Joined.class);
        assertThat(one.join(P0.cluster("eu-b").address("10.0.0.3:1").registration()))
                .isInstanceOf(Join.Joined.class);
    }

    @Test
    void aLeaseEndsOnceAndOnlyByWhomItMayBeEnded() throws SQLException {
        UUID lease = joined(P0).lease();

        assertThat(leases.leave(lease, ProcessScope.of("eu-b"))).isEmpty();
        assertThat(leases.leave(UUID.randomUUID(), ProcessScope.ALL)).isEmpty();
        assertThat(leases.leave(lease, ProcessScope.of("eu-a"))).contains("eu-a/p0");
        assertThat(leases.leave(lease, ProcessScope.ALL)).isEmpty();
        assertThat(database.number("select count(*) from process")).isZero();
    }

    @Test
    void aProcessThatDrainsKeepsItsRowWhenItLeaves() throws SQLException {
        UUID lease = joined(P0).lease();
        database.execute("update process set draining = true");

        assertThat(leases.leave(lease, ProcessScope.ALL)).contains("eu-a/p0");

        assertThat(database.number("select count(*) from process where draining"))
                .isEqualTo(1);
        assertThat(members.of("eu-a", List.of("p0"))).isEmpty();
    }

    @Test
    void anOperatorsVersionChangesWithAddressAndNumaNodeAlone() throws SQLException {
        joined(P0);
        long version = database.number("select version from process");

        joined(P0.instance("two"));
        assertThat(database.number("select version from process")).isEqualTo(version);

        joined(new Joining("eu-a", "p0", "two", "10.0.0.1:1", 4));
        assertThat(database.number("select version from process")).isEqualTo(version + 1);
    }

    @Test
    void ofManyThatWantOneAddressAtOnceOneIsTakenIn() throws Exception {
        List<Join> joins;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Join>> calls = IntStream.range(0, 8)
                    .<Callable<Join>>mapToObj(i -> () ->
                            join(P0.process("p" + i).instance("instance-" + i).cluster(i % 2 == 0 ? "eu-a" : "eu-b")))
                    .toList();
            joins = executor.invokeAll(calls).stream().map(Future::resultNow).toList();
        }

        assertThat(joins).filteredOn(Join.Joined.class::isInstance).hasSize(1);
        assertThat(joins).filteredOn(Join.Taken.class::isInstance).hasSize(7);
        assertThat(database.number("select count(*) from process")).isEqualTo(1);
    }

    @Test
    void theSameInstanceThatRegistersManyTimesAtOnceHasOneLease() throws Exception {
        List<UUID> held;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Join>> calls = IntStream.range(0, 8)
                    .<Callable<Join>>mapToObj(_ -> () -> join(P0))
                    .toList();
            held = executor.invokeAll(calls).stream()
                    .map(Future::resultNow)
                    .map(join -> ((Join.Joined) join).lease())
                    .distinct()
                    .toList();
        }

        assertThat(held).hasSize(1);
        assertThat(database.number("select count(*) from lease")).isEqualTo(1);
    }

    @Test
    void aClusterIsNotRemovedWhileAProcessJoins() throws Exception {
        try (Connection connection = database.source().getConnection();
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("delete from cluster where name = 'eu-a'");
            Future<Join> joining = executor.submit(() -> join(P0));
            connection.commit();

            assertThat(joining.get()).isEqualTo(new Join.NoCluster("cluster: eu-a is not registered"));
        }
    }

    @Test
    void ofAMemberThatDidNotJoinNothingIsKnown() {
        assertThat(members.of("eu-a", List.of("p0", "p1"))).isEmpty();
        assertThat(members.of("eu-a", List.of())).isEmpty();
        assertThat(members.holder(UUID.randomUUID())).isEqualTo(Optional.empty());
        assertThat(members.now()).isEqualTo(clock.instant());
    }

    @Test
    void onlyTheMembersThatWereAskedForAreAnswered() throws SQLException {
        joined(P0);
        joined(P0.process("p1").instance("two").address("10.0.0.2:1"));
        joined(P0.cluster("eu-b").instance("three").address("10.0.0.3:1"));

        assertThat(members.of("eu-a", List.of("p0"))).containsOnlyKeys("p0");
        assertThat(members.of("eu-a", List.of("p0", "p1", "p2"))).containsOnlyKeys("p0", "p1");
    }
}
