package dev.kvstore.dataplane.tier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SingleFlightTest {
    private final SomeBlocks some = new SomeBlocks();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final SingleFlight flights = new SingleFlight(tasks::add);

    @Test
    void everyoneWhoAsksWhileItLastsGetsAReferenceOfOneLoad() {
        List<CompletableFuture<Fetched>> asked = Stream.generate(() -> flights.load(some.key(1), this::found))
                .limit(5)
                .toList();
        assertThat(tasks).hasSize(1);

        tasks.remove().run();

        assertThat(asked).allSatisfy(future -> block(future).release());
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void whoAsksAfterwardsLoadsAnew() {
        CompletableFuture<Fetched> first = flights.load(some.key(1), Fetched.Absent::new);
        tasks.remove().run();

        CompletableFuture<Fetched> second = flights.load(some.key(1), Fetched.Absent::new);

        assertThat(first).isCompletedWithValue(new Fetched.Absent());
        assertThat(second).isNotDone();
        assertThat(tasks).hasSize(1);
    }

    @Test
    void whoAsksAfterABlockWasStoredDoesNotShareALoadThatBeganBefore() {
        CompletableFuture<Fetched> before = flights.load(some.key(1), Fetched.Absent::new);

        flights.overtake(some.key(1));
        CompletableFuture<Fetched> after = flights.load(some.key(1), this::found);
        tasks.remove().run();
        assertThat(before).isCompletedWithValue(new Fetched.Absent());
        assertThat(after).isNotDone();

        CompletableFuture<Fetched> joined = flights.load(some.key(1), Fetched.Absent::new);
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
            assertThat(refused.load(some.key(1), this::found))
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void whoGivesUpLeavesNoReferenceBehind() {
        CompletableFuture<Fetched> stays = flights.load(some.key(1), this::found);
        flights.load(some.key(1), this::found).cancel(false);

        tasks.remove().run();

        block(stays).release();
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void aFailureIsEveryonesFailure() {
        List<CompletableFuture<Fetched>> asked = Stream.generate(() -> flights.load(some.key(1), () -> {
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
        return new Fetched.Found(some.block(1));
    }

    private static StoredBlock block(CompletableFuture<Fetched> future) {
        return ((Fetched.Found) future.join()).block();
    }
}
