package dev.kvstore.clusters.member;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.lease.ProcessScope;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatQueueTest {
    private static final UUID LEASE = new UUID(1, 1);
    private static final UUID GONE = new UUID(0, 0);
    private static final RenewedLease HEARD = new RenewedLease("eu-a", "p0", false, false);

    private final List<List<Beat>> batches = new CopyOnWriteArrayList<>();
    private final HeartbeatQueue queue = new HeartbeatQueue(this::keep);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean away;
    private volatile boolean error;

    private Map<UUID, RenewedLease> keep(Collection<Beat> beats) throws SQLException {
        if (away) {
            throw new SQLException("away");
        }
        if (error) {
            throw new AssertionError("as the virtual machine may throw one");
        }
        batches.add(List.copyOf(beats));
        return beats.stream()
                .filter(beat -> !beat.lease().equals(GONE))
                .collect(Collectors.toMap(Beat::lease, _ -> HEARD, (one, _) -> one));
    }

    private Thread start() {
        Thread thread = Thread.ofVirtual().start(queue);
        threads.add(thread);
        return thread;
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    private CompletableFuture<Optional<RenewedLease>> offer(UUID lease, boolean draining) {
        return queue.offer(new Beat(lease, ProcessScope.ALL, Load.NONE, null, draining))
                .orElseThrow();
    }

    @Test
    void thoseThatComeTogetherAreKeptTogether() throws Exception {
        List<CompletableFuture<Optional<RenewedLease>>> answers = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            answers.add(offer(new UUID(i, i), false));
        }

        start();

        for (CompletableFuture<Optional<RenewedLease>> answer : answers) {
            assertThat(answer.get(60, SECONDS)).contains(HEARD);
        }
        assertThat(batches).hasSize(1);
        assertThat(queue.batches()).isEqualTo(1);
        assertThat(queue.kept()).isEqualTo(100);
    }

    @Test
    void noBatchIsLargerThanItMayBe() throws Exception {
        CompletableFuture<Optional<RenewedLease>> last = offer(LEASE, false);
        for (int i = 0; i < HeartbeatQueue.BATCH; i++) {
            last = offer(new UUID(2, i), false);
        }

        start();

        assertThat(last.get(60, SECONDS)).isPresent();
        assertThat(batches).extracting(List::size).containsExactly(HeartbeatQueue.BATCH, 1);
    }

    @Test
    void ofALeaseThatIsHeardOfTwiceTheLastCounts() throws Exception {
        CompletableFuture<Optional<RenewedLease>> first = offer(LEASE, false);
        CompletableFuture<Optional<RenewedLease>> second = offer(LEASE, true);

        start();

        assertThat(first.get(60, SECONDS)).contains(HEARD);
        assertThat(second.get(60, SECONDS)).contains(HEARD);
        assertThat(batches.getFirst())
                .singleElement()
                .satisfies(beat -> assertThat(beat.draining()).isTrue());
    }

    @Test
    void aBeatOfAnotherClusterTakesNoBeatsPlaceAndIsToldNothing() throws Exception {
        CompletableFuture<Optional<RenewedLease>> own = offer(LEASE, false);
        CompletableFuture<Optional<RenewedLease>> forged = queue.offer(
                        new Beat(LEASE, ProcessScope.of("eu-b"), Load.NONE, null, true))
                .orElseThrow();

        start();

        assertThat(own.get(60, SECONDS)).contains(HEARD);
        assertThat(forged.get(60, SECONDS)).isEmpty();
        assertThat(batches.getFirst())
                .anySatisfy(beat -> assertThat(beat.draining()).isFalse());
    }

    @Test
    void aLeaseThatIsNotThereIsTold() throws Exception {
        CompletableFuture<Optional<RenewedLease>> gone = offer(GONE, false);

        start();

        assertThat(gone.get(60, SECONDS)).isEmpty();
    }

    @Test
    void withoutTheDatabaseAllAreToldAndTheNextAreTried() throws Exception {
        away = true;
        CompletableFuture<Optional<RenewedLease>> failed = offer(LEASE, false);
        start();
        assertThatThrownBy(() -> failed.get(60, SECONDS)).hasCauseInstanceOf(SQLException.class);

        away = false;

        assertThat(offer(LEASE, false).get(60, SECONDS)).contains(HEARD);
    }

    @Test
    void anErrorIsToldAndTheNextAreTried() throws Exception {
        error = true;
        CompletableFuture<Optional<RenewedLease>> failed = offer(LEASE, false);
        start();
        assertThatThrownBy(() -> failed.get(60, SECONDS)).hasCauseInstanceOf(AssertionError.class);

        error = false;

        assertThat(offer(LEASE, false).get(60, SECONDS)).contains(HEARD);
    }

    /** Puts heartbeats in line until one is refused. */
    private int fill(ProcessScope scope) {
        int count = 0;
        while (count <= HeartbeatQueue.CAPACITY
                && queue.offer(new Beat(new UUID(1, count), scope, Load.NONE, null, false))
                        .isPresent()) {
            count++;
        }
        return count;
    }

    @Test
    void theLineHasAnEndAndNoClusterTakesAllOfIt() {
        int greedy = fill(ProcessScope.of("eu-a"));
        int other = fill(ProcessScope.of("eu-b"));

        assertThat(greedy).isGreaterThan(HeartbeatQueue.CAPACITY / 2);
        assertThat(other).isGreaterThan(HeartbeatQueue.CAPACITY / 10);
        assertThat(greedy + other).isLessThanOrEqualTo(HeartbeatQueue.CAPACITY);
    }

    @Test
    void whoWaitsForOthersToComeWhenItEndsIsTold() throws Exception {
        CompletableFuture<Optional<RenewedLease>> waiting = offer(LEASE, false);

        Thread thread = start();
        thread.interrupt();
        thread.join();

        assertThat(waiting).isDone();
    }

    @Test
    void whoIsInLineWhenItEndsIsTold() throws Exception {
        Thread thread = start();
        thread.interrupt();
        thread.join();

        assertThat(queue.offer(new Beat(LEASE, ProcessScope.ALL, Load.NONE, null, false)))
                .isEmpty();
    }
}
