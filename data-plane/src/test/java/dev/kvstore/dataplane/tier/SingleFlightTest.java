package dev.kvstore.dataplane.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.Turn;
import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SingleFlightTest {
    private final SomeBlocks some = new SomeBlocks();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final SingleFlight flights = new SingleFlight(tasks::add);

    @Test
    void everyoneWhoAsksWhileItLastsGetsAReferenceOfOneLoad() {
        List<CompletableFuture<Fetched>> asked = Stream.generate(() -> flights.load(some.key(1), Turn.NOW, this::found))
                .limit(5)
                .toList();
        assertThat(tasks).hasSize(1);

        tasks.remove().run();

        assertThat(asked).allSatisfy(future -> block(future).release());
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void whoAsksAfterwardsLoadsAnew() {
        CompletableFuture<Fetched> first = flights.load(some.key(1), Turn.NOW, Fetched.Absent::new);
        tasks.remove().run();

        CompletableFuture<Fetched> second = flights.load(some.key(1), Turn.NOW, Fetched.Absent::new);

        assertThat(first).isCompletedWithValue(new Fetched.Absent());
        assertThat(second).isNotDone();
        assertThat(tasks).hasSize(1);
    }

    @Test
    void whoAsksAfterABlockWasStoredDoesNotShareALoadThatBeganBefore() {
        CompletableFuture<Fetched> before = flights.load(some.key(1), Turn.NOW, Fetched.Absent::new);

        flights.overtake(some.key(1));
        CompletableFuture<Fetched> after = flights.load(some.key(1), Turn.NOW, this::found);
        tasks.remove().run();
        assertThat(before).isCompletedWithValue(new Fetched.Absent());
        assertThat(after).isNotDone();

        CompletableFuture<Fetched> joined = flights.load(some.key(1), Turn.NOW, Fetched.Absent::new);
        tasks.remove().run();
        block(after).release();
        block(joined).release();
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void aLoadThatNobodyRunsFailsAndLeavesNothingToWaitFor() {
        SingleFlight refused = new SingleFlight(_ -> {
            throw new RejectedExecutionException("closed");
        });

        for (int i = 0; i < 2; i++) {
            assertThat(refused.load(some.key(1), Turn.NOW, this::found))
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void whoGivesUpLeavesNoReferenceBehind() {
        CompletableFuture<Fetched> stays = flights.load(some.key(1), Turn.NOW, this::found);
        flights.load(some.key(1), Turn.NOW, this::found).cancel(false);

        tasks.remove().run();

        block(stays).release();
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void aLoadIsGivenUpWithTheLastWhoWaitsForIt() {
        SingleFlight running = new SingleFlight(Thread::startVirtualThread);
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        SingleFlight.BlockLoader slow = () -> SingleFlight.asking(() -> {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                end.complete(true);
            }
            return new Fetched.Absent();
        });
        CompletableFuture<Fetched> first = running.load(some.key(1), Turn.NOW, slow);
        CompletableFuture<Fetched> last = running.load(some.key(1), Turn.NOW, slow);
        await().atMost(Patience.LIMIT).until(() -> asked.getCount() == 0);

        first.cancel(false);
        assertThat(end).isNotDone();
        last.cancel(false);

        assertThat(end).succeedsWithin(Patience.LIMIT);
        assertThat(running.load(some.key(1), Turn.NOW, Fetched.Absent::new)).succeedsWithin(Patience.LIMIT);
    }

    @Test
    void whatNobodyWaitsForIsNotAskedFor() {
        AtomicBoolean asked = new AtomicBoolean();
        CompletableFuture<Fetched> given = flights.load(
                some.key(1),
                Turn.NOW,
                () -> SingleFlight.asking(() -> {
                    asked.set(true);
                    return new Fetched.Absent();
                }));

        given.cancel(false);
        CompletableFuture<Fetched> after = flights.load(some.key(1), Turn.NOW, this::found);
        tasks.forEach(Runnable::run);

        assertThat(asked).isFalse();
        block(after).release();
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void aFailureIsEveryonesFailure() {
        List<CompletableFuture<Fetched>> asked = Stream.generate(() -> flights.load(some.key(1), Turn.NOW, () -> {
                    throw new IllegalStateException("storage is away");
                }))
                .limit(3)
                .toList();

        tasks.remove().run();

        assertThat(asked)
                .allSatisfy(future -> assertThat(future)
                        .failsWithin(Duration.ZERO)
                        .withThrowableThat()
                        .withMessageContaining("storage is away"));
    }

    private Fetched found() throws MemoryExhaustedException {
        return new Fetched.FetchedBlock(some.block(1));
    }

    private static StoredBlock block(CompletableFuture<Fetched> future) {
        return ((Fetched.FetchedBlock) future.join()).block();
    }
}
