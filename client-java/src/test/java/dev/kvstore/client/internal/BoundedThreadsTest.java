package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Operations whose futures are ended by others. */
class BoundedThreadsTest {
    private final BoundedThreads threads = new BoundedThreads(10);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final CompletableFuture<String> discarded = new CompletableFuture<>();

    /** An operation that notices an interruption, and takes its time to end all the same. */
    private String operation() {
        begun.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
        return result.join();
    }

    @Test
    void aCancelledFutureIsCompleteOnlyWhenItsOperationIsOver() throws Exception {
        CompletableFuture<String> future = threads.run(this::operation, discarded::complete);
        begun.await();

        assertThat(future.cancel(false)).isTrue();

        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(future).as("while the operation runs").isNotDone();
        result.complete("late");
        assertThat(discarded).succeedsWithin(Patience.LIMIT).isEqualTo("late");
        assertThat(future).isCancelled();
    }

    @Test
    void aFutureThatTimesOutIsCompleteOnlyWhenItsOperationIsOver() throws Exception {
        CompletableFuture<String> future =
                threads.run(this::operation, discarded::complete).orTimeout(1, TimeUnit.MILLISECONDS);

        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(future).as("while the operation runs").isNotDone();
        result.complete("late");
        assertThat(future).failsWithin(Patience.LIMIT).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
        assertThat(discarded).succeedsWithin(Patience.LIMIT).isEqualTo("late");
    }

    @Test
    void aValueFromOutsideWaitsForTheOperationToo() throws Exception {
        CompletableFuture<String> future =
                threads.run(this::operation, discarded::complete).completeOnTimeout("early", 1, TimeUnit.MILLISECONDS);

        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(future).as("while the operation runs").isNotDone();
        result.complete("late");
        assertThat(future).succeedsWithin(Patience.LIMIT).isEqualTo("early");
    }

    @Test
    void whatHangsOnAFutureIsNotInterrupted() throws Exception {
        CompletableFuture<String> future = threads.run(this::operation, discarded::complete);
        CompletableFuture<Boolean> seen =
                future.handle((value, failure) -> Thread.currentThread().isInterrupted());
        begun.await();

        future.cancel(true);

        result.complete("late");
        assertThat(seen).succeedsWithin(Patience.LIMIT).isEqualTo(false);
    }
}
