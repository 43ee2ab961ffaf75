package dev.kvstore.clusters.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.lease.Join;
import dev.kvstore.clusters.lease.Leases;
import dev.kvstore.clusters.lease.ProcessScope;
import dev.kvstore.clusters.lease.Registration;
import dev.kvstore.testing.MovableClock;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.postgres.ClassDatabase;
import dev.kvstore.testing.postgres.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases in a real PostgreSQL, by a clock of the test's own, of two control planes. */
class LeasesTest {
    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Capacity CAPACITY = new Capacity(1_000, 10, 0, 0, 1);

    /** As an operator does, of all processes. */
    private static final String REFRESH = "update process set refreshes = refreshes + 1";

    @SuppressWarnings("NullAway.Init")
    private static ClassDatabase made;

    /** The parts of a control plane that use the database. */
    private record LeaseReplica(
            Leases leases,
            Heartbeats heartbeats,
            OutageDetector pulse,
            FleetReader reader,
            LeaseEvictions evictions,
            MovableClock clock) {
        static LeaseReplica of(DataSource database, MovableClock clock, long seed) {
            return new LeaseReplica(
                    new Leases(database, clock),
                    new Heartbeats(database, clock),
                    new OutageDetector(database, clock),
                    new FleetReader(database, _ -> Set.of()),
                    new LeaseEvictions(database, new Random(seed)),
                    clock);
        }

        UUID join(String process, int port) throws SQLException {
            return ((Join.Joined) leases.join(joining(process, UUID.randomUUID().toString(), port))).lease();
        }

        Optional<RenewedLease> beat(UUID lease) throws SQLException {
            return Optional.ofNullable(heartbeats
                    .keep(List.of(new Beat(lease, ProcessScope.ALL, Load.NONE, null, false)))
                    .get(lease));
        }

        Optional<OutageDetector.LeaseCompensation> beat() throws SQLException {
            return pulse.beat().made();
        }

        Fleet fleet() throws SQLException {
            return reader.read(clock.instant()).fleet();
        }

        List<ClusterMember> members() throws SQLException {
            return fleet().clusters().getFirst().members();
        }

        boolean hasLease(String process) throws SQLException {
            Fleet fleet = fleet();
            return fleet.clusters().getFirst().members().stream()
                    .anyMatch(member -> member.name().equals(process) && member.hasLease(fleet.at()));
        }
    }

    private final MovableClock clock = new MovableClock();
    private final DataSource database = made.source();
    private final LeaseReplica one = LeaseReplica.of(database, clock, 1);
    private final LeaseReplica other = LeaseReplica.of(database, clock, 2);

    @BeforeAll
    static void start() throws Exception {
        made = TestPostgres.newDatabase("change", "cluster");
    }

    @BeforeEach
    void emptyCluster() throws SQLException {
        execute("delete from process");
        execute("delete from cluster");
        execute("insert into region values ('eu', 'eu', now(), 0) on conflict do nothing");
        execute("insert into cluster values ('eu-a', 'eu', 'ACTIVE', now(), now(), 0)");
        execute("update pulse set at = '" + clock.instant() + "', evicted_at = '" + clock.instant() + "'");
    }

    private static void execute(String command) throws SQLException {
        made.execute(command);
    }

    private static long number(String query) throws SQLException {
        return made.number(query);
    }

    private static Registration joining(String process, String instance, int port) {
        String address = "10.0.0.1:" + port;
        return new Registration("eu-a", process, instance, address, address, null, CAPACITY, "token", "1");
    }

    @Test
    void whoMayNotSpeakForAProcessNeitherRenewsNorEndsItsLease() throws Exception {
        UUID lease = one.join("p0", 1);
        for (ProcessScope scope :
                List.of(ProcessScope.of("eu-b"), new ProcessScope("eu-a", "p1"), new ProcessScope("eu-a", "p"))) {
            assertThat(one.heartbeats().keep(List.of(new Beat(lease, scope, Load.NONE, null, true))))
                    .isEmpty();
            assertThat(one.leases().leave(lease, scope)).isEmpty();
        }
        assertThat(one.members().getFirst().draining()).isFalse();

        Beat own = new Beat(lease, new ProcessScope("eu-a", "p0"), Load.NONE, null, true);
        Beat forged = new Beat(lease, ProcessScope.of("eu-b"), Load.NONE, null, false);
        assertThat(one.heartbeats().keep(List.of(own, forged))).containsKey(lease);
        assertThat(one.members().getFirst().draining()).isTrue();
        UUID another = one.join("p1-8085", 2);
        assertThat(one.heartbeats()
                        .keep(List.of(new Beat(another, new ProcessScope("eu-a", "p1"), Load.NONE, null, false))))
                .containsKey(another);
        assertThat(one.leases().leave(another, ProcessScope.of("eu-a"))).contains("eu-a/p1-8085");
    }

    @Test
    void aClusterHasSoManyProcesses() throws Exception {
        Leases few = new Leases(database, clock, 2);
        UUID first = one.join("p0", 1);
        var _ = one.join("p1", 2);

        assertThat(few.join(joining("p2", "new", 3)))
                .isEqualTo(new Join.Full(
                        "cluster: eu-a has 2 processes with a lease, which is all that a cluster may have"));

        assertThat(few.join(joining("p0", "another instance", 1))).isInstanceOf(Join.Joined.class);
        var _ = few.leave(first, ProcessScope.ALL);
        execute("delete from process where name = 'p0'");
        assertThat(few.join(joining("p2", "new", 3))).isInstanceOf(Join.Joined.class);
    }

    @Test
    void aLeaseLastsFromEachHeartbeat() throws SQLException {
        UUID lease = one.join("p0", 1);
        clock.move(Rules.HEARTBEAT);
        assertThat(other.beat(lease)).contains(new RenewedLease("eu-a", "p0", false, false));

        clock.move(Rules.LEASE.minus(TICK));
        assertThat(one.hasLease("p0")).isTrue();
        clock.move(TICK);
        assertThat(one.hasLease("p0")).isFalse();
    }

    @Test
    void whatAHeartbeatSaysIsInTheFleet() throws SQLException {
        UUID lease = one.join("p0", 1);
        Load load = new Load(5, 4, 3, 0.5, 0.25, 0.75, 1, Duration.ofMillis(7), Duration.ofMillis(90), 0.125);
        Capacity less = new Capacity(500, 5, 1, 2, 3);

        one.heartbeats().keep(List.of(new Beat(lease, ProcessScope.ALL, load, less, true)));

        assertThat(other.members()).singleElement().satisfies(member -> {
            assertThat(member.load()).isEqualTo(load);
            assertThat(member.capacity()).isEqualTo(less);
            assertThat(member.draining()).isTrue();
        });
    }

    @Test
    void aLeaseThatEndedIsRenewedWhileItsRowIsThere() throws SQLException {
        UUID lease = one.join("p0", 1);
        clock.move(Rules.LEASE.plus(Rules.EVICTION_AFTER).minus(TICK));
        assertThat(one.evictions().pass(one.fleet())).isEmpty();

        assertThat(one.beat(lease)).isPresent();

        assertThat(one.hasLease("p0")).isTrue();
    }

    @Test
    void oneWhoIsForgottenHasToRegisterAgain() throws SQLException {
        UUID lease = one.join("p0", 1);
        clock.move(Rules.LEASE.plus(Rules.EVICTION_AFTER));

        assertThat(other.evictions().pass(other.fleet())).containsExactly("eu-a/p0");

        assertThat(one.beat(lease)).isEmpty();
        assertThat(number("select count(*) from process")).isZero();
    }

    @Test
    void aPassIsMadeByOneControlPlane() throws SQLException {
        for (int i = 0; i < 40; i++) {
            one.join("p" + i, i + 1);
        }
        clock.move(Rules.LEASE.plus(Rules.EVICTION_AFTER));

        List<Integer> forgotten = new java.util.ArrayList<>();
        for (Duration step : List.of(Duration.ZERO, Rules.EVICTION_PASS.minus(TICK), TICK, Rules.EVICTION_PASS)) {
            clock.move(step);
            Fleet fleet = one.fleet();
            forgotten.add(one.evictions().pass(fleet).size()
                    + other.evictions().pass(fleet).size());
        }

        assertThat(forgotten).containsExactly(6, 0, 5, 4);
    }

    @Test
    void whoIsHeardOfWhileAPassIsMadeStays() throws SQLException {
        UUID lease = one.join("p0", 1);
        clock.move(Rules.LEASE.plus(Rules.EVICTION_AFTER));
        Fleet before = one.fleet();
        assertThat(other.beat(lease)).isPresent();

        assertThat(one.evictions().pass(before)).isEmpty();

        assertThat(one.hasLease("p0")).isTrue();
    }

    @Test
    void whatAnOperatorSaidStaysWhenTheProcessIsForgotten() throws SQLException {
        UUID lease = one.join("p0", 1);
        execute("update process set declared = true");

        assertThat(one.leases().leave(lease, ProcessScope.ALL)).contains("eu-a/p0");

        assertThat(one.members()).isEmpty();
        assertThat(number("select count(*) from process")).isEqualTo(1);
    }

    @Test
    void afterAPauseOfAllControlPlanesLeasesLastForAsMuchLonger() throws SQLException {
        one.join("dead", 1);
        clock.move(Rules.LEASE);
        UUID alive = one.join("alive", 2);
        assertThat(one.beat()).isPresent();
        clock.move(Rules.HEARTBEAT);
        assertThat(one.beat(alive)).isPresent();
        assertThat(one.beat()).isEmpty();

        clock.move(Duration.ofSeconds(30));
        List<OutageDetector.LeaseCompensation> made =
                Stream.of(one.beat(), other.beat()).flatMap(Optional::stream).toList();

        assertThat(made).singleElement().satisfies(it -> assertThat(it.pause()).isEqualTo(Duration.ofSeconds(30)));
        assertThat(other.hasLease("alive")).isTrue();
        clock.move(Rules.LEASE.minus(TICK));
        assertThat(other.hasLease("alive")).isTrue();
        clock.move(TICK);
        assertThat(other.hasLease("alive")).isFalse();
    }

    @Test
    void aLeaseThatHadEndedBeforeAPauseIsNotMadeUpFor() throws SQLException {
        one.join("dead", 1);
        for (int i = 0; i < 3; i++) {
            clock.move(Rules.PAUSE);
            assertThat(one.beat()).isEmpty();
        }
        assertThat(one.hasLease("dead")).isFalse();

        clock.move(Duration.ofSeconds(30));
        assertThat(one.beat())
                .get()
                .extracting(OutageDetector.LeaseCompensation::leases)
                .isEqualTo(0);

        assertThat(one.hasLease("dead")).isFalse();
    }

    @Test
    void whoWasHeardOfBeforeAPauseIsMadeUpForGetsNoMoreThanALease() throws SQLException {
        UUID lease = one.join("p0", 1);
        clock.move(Duration.ofSeconds(30));
        assertThat(one.beat(lease)).isPresent();

        assertThat(one.beat()).isPresent();

        clock.move(Rules.LEASE);
        assertThat(one.hasLease("p0")).isFalse();
    }

    @Test
    void aDatabaseWhoseClockWasSetForwardOrBackLosesNobodyAndKeepsNobody() throws SQLException {
        for (Duration set : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
            UUID lease = one.join("p0", 1);
            clock.move(set);

            assertThat(one.beat()).isPresent();

            assertThat(one.hasLease("p0")).isTrue();
            clock.move(Rules.LEASE);
            assertThat(one.hasLease("p0")).isFalse();
            assertThat(one.leases().leave(lease, ProcessScope.ALL)).isPresent();
            assertThat(one.beat()).isPresent();
        }
    }

    @Test
    void ofManyThatWantOneNameAtOnceOneIsTakenIn() throws Exception {
        List<Join> joins;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Join>> calls = IntStream.range(0, 8)
                    .<Callable<Join>>mapToObj(
                            i -> () -> (i % 2 == 0 ? one : other).leases().join(joining("p0", "instance-" + i, i + 1)))
                    .toList();
            joins = executor.invokeAll(calls).stream().map(Future::resultNow).toList();
        }

        assertThat(joins).filteredOn(Join.Joined.class::isInstance).hasSize(1);
        assertThat(joins).filteredOn(Join.Taken.class::isInstance).hasSize(7);
        assertThat(one.members()).hasSize(1);
    }

    @Test
    void anAddressWhoseLeaseEndedIsTheNextOnes() throws SQLException {
        one.join("p0", 1);
        clock.move(Rules.LEASE);

        one.join("p1", 1);

        assertThat(one.members()).extracting(ClusterMember::name).containsExactly("p1");
    }

    @Test
    void whoDrainsStillDoesWhenAnotherProcessHasHadItsAddressMeanwhile() throws SQLException {
        one.join("p0", 1);
        execute("update process set draining = true");
        clock.move(Rules.LEASE);

        one.join("p1", 1);
        one.join("p0", 2);

        assertThat(one.members())
                .extracting(ClusterMember::name, ClusterMember::draining)
                .containsExactly(tuple("p0", true), tuple("p1", false));
    }

    @Test
    void whoDrainsAndLostItsAddressIsInNoRoute() throws SQLException {
        one.join("p0", 1);
        execute("update process set draining = true");
        clock.move(Rules.LEASE);

        one.join("p1", 1);

        assertThat(one.members()).extracting(ClusterMember::name).containsExactly("p1");
    }

    @Test
    void aRefreshIsToldThatAHeartbeatOvertook() throws SQLException {
        UUID lease = one.join("p0", 1);
        clock.move(TICK);
        try (Connection operator = database.getConnection();
                Statement statement = operator.createStatement()) {
            operator.setAutoCommit(false);
            statement.execute(REFRESH);
            clock.move(TICK);
            assertThat(one.beat(lease)).get().extracting(RenewedLease::refresh).isEqualTo(false);
            operator.commit();
        }

        clock.move(TICK);

        assertThat(other.beat(lease)).get().extracting(RenewedLease::refresh).isEqualTo(true);
        assertThat(one.beat(lease)).get().extracting(RenewedLease::refresh).isEqualTo(false);
    }

    @Test
    void aRefreshIsToldThatComesBeforeTheInstanceRegistersAgain() throws SQLException {
        String instance = UUID.randomUUID().toString();
        UUID lease = ((Join.Joined) one.leases().join(joining("p0", instance, 1))).lease();
        clock.move(TICK);
        execute(REFRESH);
        clock.move(TICK);

        assertThat(((Join.Joined) one.leases().join(joining("p0", instance, 1))).lease())
                .isEqualTo(lease);

        clock.move(TICK);
        assertThat(one.beat(lease)).get().extracting(RenewedLease::refresh).isEqualTo(true);
    }

    @Test
    void refreshIsToldOnce() throws SQLException {
        UUID lease = one.join("p0", 1);
        clock.move(TICK);
        execute(REFRESH);
        clock.move(TICK);

        assertThat(one.beat(lease)).get().extracting(RenewedLease::refresh).isEqualTo(true);
        assertThat(one.beat(lease)).get().extracting(RenewedLease::refresh).isEqualTo(false);
    }

    @Test
    void heartbeatsTouchNoIndex() throws SQLException {
        UUID lease = one.join("p0", 1);
        for (int i = 0; i < 50; i++) {
            assertThat(one.beat(lease)).isPresent();
        }

        String counted = "from pg_stat_user_tables where relname = 'heartbeat'";
        await().atMost(Patience.LIMIT).until(() -> number("select n_tup_upd " + counted) >= 50);
        assertThat(number("select n_tup_upd - n_tup_hot_upd " + counted)).isZero();
    }

    @Test
    void manyAreKeptInOneStatement() throws SQLException {
        List<Beat> beats = new java.util.ArrayList<>();
        for (int i = 0; i < 100; i++) {
            beats.add(new Beat(one.join("p" + i, i + 1), ProcessScope.ALL, Load.NONE, null, false));
        }

        Map<UUID, RenewedLease> heard = one.heartbeats().keep(beats);

        assertThat(heard).hasSize(100);
    }

    @Test
    void aControlPlaneThatIsStoppedBetweenItsBeatAndItsReadingLosesNobody() throws SQLException {
        one.join("p0", 1);
        OutageDetector.BeatOutcome before = one.pulse().beat();

        clock.move(Duration.ofMinutes(10));
        Fleet fleet = one.reader().read(before.at()).fleet();

        assertThat(fleet.clusters().getFirst().members())
                .allSatisfy(member -> assertThat(member.hasLease(fleet.at())).isTrue());
        assertThat(one.evictions().pass(fleet)).isEmpty();
    }
}
