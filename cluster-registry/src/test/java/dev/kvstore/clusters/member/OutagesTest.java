package dev.kvstore.clusters.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.testing.MovableClock;
import dev.kvstore.testing.postgres.ClassDatabase;
import dev.kvstore.testing.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Beats of control planes, and the time without one for which leases are prolonged. */
class OutagesTest {
    private static final Duration TICK = Duration.ofNanos(1_000);

    @SuppressWarnings("NullAway.Init")
    private static ClassDatabase database;

    private final MovableClock clock = new MovableClock();
    private final OutageDetector detector = new OutageDetector(database.source(), clock);

    @BeforeAll
    static void start() throws SQLException {
        database = TestPostgres.newDatabase("change", "cluster");
    }

    @BeforeEach
    void lastBeatIsNow() throws SQLException {
        database.execute("delete from process");
        database.execute("delete from cluster");
        database.execute("insert into region values ('eu', 'eu', now(), 0) on conflict do nothing");
        database.execute("insert into cluster values ('eu-a', 'eu', 'ACTIVE', now(), now(), 0)");
        database.execute("update pulse set at = '" + clock.instant() + "', evicted_at = '" + clock.instant() + "'");
    }

    /** Makes a lease that ends at a time. */
    private static void lease(String process, Instant end) throws SQLException {
        database.execute("insert into process (cluster, name, address, created_at, version, declared, draining)"
                + " values ('eu-a', '" + process + "', '" + process + ":1', now(), 0, false, false)");
        database.execute("insert into lease (id, cluster, process, instance, remote_address, peer_token, program,"
                + " joined_at) values (gen_random_uuid(), 'eu-a', '" + process + "', 'i', 'a:1', 't', '1', now())");
        database.execute("insert into heartbeat (ends_at, heard_at, max_bytes_per_second, max_operations,"
                + " memory_tier_bytes, disk_tier_bytes, cpus, lease, draining, bytes_per_second, operations, streams,"
                + " cpu, memory, memory_tier, disk_tier, rejected_per_second, refreshes)"
                + " select '" + end + "', now(), 1, 1, 0, 0, 1, id, false, 0, 0, 0, 0, 0, 0, 0, 0, 0 from lease"
                + " where process = '" + process + "'");
    }

    private Instant end(String process) throws SQLException {
        return Instant.parse(database.text("select to_char(h.ends_at at time zone 'UTC',"
                + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') from heartbeat h join lease l on l.id = h.lease"
                + " where l.process = '" + process + "'"));
    }

    @Test
    void beatsThatFollowEachOtherChangeNoLease() throws SQLException {
        Instant end = clock.instant().plus(Duration.ofMinutes(1));
        lease("p0", end);

        for (int i = 0; i < 4; i++) {
            clock.move(Rules.PAUSE);
            assertThat(detector.beat()).isEqualTo(new OutageDetector.BeatOutcome(clock.instant(), Optional.empty()));
        }

        assertThat(end("p0")).isEqualTo(end);
    }

    @Test
    void aPauseOfATickMoreThanAHeartbeatIsMadeUpFor() throws SQLException {
        Instant end = clock.instant().plus(Duration.ofSeconds(7));
        lease("p0", end);
        Duration pause = Rules.PAUSE.plus(TICK);
        clock.move(pause);

        assertThat(detector.beat().made()).contains(new OutageDetector.LeaseCompensation(pause, 1));

        assertThat(end("p0")).isEqualTo(end.plus(pause));
    }

    @Test
    void noLeaseIsProlongedBeyondOneThatIsRenewedNow() throws SQLException {
        lease("p0", clock.instant().plus(Rules.LEASE));
        clock.move(Duration.ofSeconds(30));
        lease("renewed", clock.instant().plus(Rules.LEASE));

        assertThat(detector.beat().made()).isPresent();

        assertThat(end("p0")).isEqualTo(clock.instant().plus(Rules.LEASE));
        assertThat(end("renewed")).isEqualTo(clock.instant().plus(Rules.LEASE));
    }

    @Test
    void aLeaseThatEndedBeforeThePauseBeganStaysEnded() throws SQLException {
        Instant end = clock.instant();
        lease("ended", end);
        lease("held", end.plus(TICK));
        clock.move(Duration.ofMinutes(2));

        assertThat(detector.beat().made()).contains(new OutageDetector.LeaseCompensation(Duration.ofMinutes(2), 1));

        assertThat(end("ended")).isEqualTo(end);
        assertThat(end("held")).isEqualTo(end.plus(TICK).plus(Duration.ofMinutes(2)));
    }

    @Test
    void aClockThatWasSetBackTakesAllLeasesWithIt() throws SQLException {
        Instant end = clock.instant().plus(Duration.ofSeconds(7));
        lease("held", end);
        lease("ended", clock.instant().minusSeconds(60));
        clock.move(Duration.ofHours(-1));

        assertThat(detector.beat().made()).contains(new OutageDetector.LeaseCompensation(Duration.ofHours(-1), 2));

        assertThat(end("held")).isEqualTo(end.minus(Duration.ofHours(1)));
    }

    @Test
    void onlyOneOfManyControlPlanesMakesUpForAPause() throws Exception {
        Instant end = clock.instant().plus(Duration.ofSeconds(7));
        lease("p0", end);
        clock.move(Duration.ofMinutes(1));

        List<OutageDetector.BeatOutcome> beats;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<OutageDetector.BeatOutcome>> calls = IntStream.range(0, 6)
                    .<Callable<OutageDetector.BeatOutcome>>mapToObj(_ -> () -> {
                        OutageDetector other = new OutageDetector(database.source(), clock);
                        return other.beat();
                    })
                    .toList();
            beats = executor.invokeAll(calls).stream().map(Future::resultNow).toList();
        }

        assertThat(beats).filteredOn(beat -> beat.made().isPresent()).hasSize(1);
        assertThat(end("p0")).isEqualTo(end.plus(Duration.ofMinutes(1)));
    }

    @Test
    void aPauseMovesTheNextPassOfEvictionsToo() throws SQLException {
        clock.move(Duration.ofMinutes(1));

        assertThat(detector.beat().made()).contains(new OutageDetector.LeaseCompensation(Duration.ofMinutes(1), 0));

        assertThat(database.number("select count(*) from pulse where evicted_at = '" + clock.instant() + "'"))
                .isEqualTo(1);
    }
}
