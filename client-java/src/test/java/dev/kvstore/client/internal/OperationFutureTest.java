package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** A future that only its operation completes, whoever decides the outcome. */
class OperationFutureTest {
    private final AtomicInteger stops = new AtomicInteger();
    private final OperationFuture<String> future = new OperationFuture<>(stops::incrementAndGet);

    @Test
    void theOperationsResultIsTheFutures() {
        assertThat(future.end("result", null)).isTrue();

        assertThat(future).isCompletedWithValue("result");
        assertThat(stops).hasValue(0);
    }

    @Test
    void theOperationsFailureIsTheFutures() {
        IllegalStateException failure = new IllegalStateException("broken");
        assertThat(future.end(null, failure)).isTrue();

        assertThat(future).failsWithin(Patience.LIMIT).withThrowableThat().withCause(failure);
    }

    @Test
    void aCancelledFutureIsDoneOnceItsOperationHasStopped() {
        assertThat(future.cancel(true)).isTrue();
        assertThat(future).as("while the operation may read its memory").isNotDone();
        assertThat(stops).hasValue(1);

        assertThat(future.end("too late", null)).isFalse();

        assertThat(future).isCancelled();
        assertThat(future.cancel(true)).as("it is cancelled").isTrue();
        assertThat(stops).hasValue(1);
    }

    @Test
    void aFutureThatIsCompletedEarlyHasThatValueOnceItsOperationHasStopped() {
        assertThat(future.complete("early")).isTrue();
        assertThat(future.complete("later")).isFalse();
        assertThat(future).isNotDone();

        future.end("too late", null);

        assertThat(future).isCompletedWithValue("early");
        assertThat(future.cancel(true)).isFalse();
        assertThat(stops).hasValue(1);
    }

    @Test
    void aFailureFromOutsideWaitsForTheOperationToo() {
        IllegalStateException failure = new IllegalStateException("early");
        assertThat(future.completeExceptionally(failure)).isTrue();
        assertThat(future).isNotDone();

        future.end(null, new IllegalStateException("because it was stopped"));

        assertThat(future).failsWithin(Patience.LIMIT).withThrowableThat().withCause(failure);
    }

    @Test
    void aTimeoutStopsTheOperation() throws Exception {
        CompletableFuture<Runnable> stopped = new CompletableFuture<>();
        OperationFuture<String> slow = new OperationFuture<>(() -> stopped.complete(() -> {}));
        CompletableFuture<String> timed = slow.orTimeout(1, TimeUnit.MILLISECONDS);
        stopped.get(60, TimeUnit.SECONDS);

        slow.end(null, new CancellationException());

        assertThat(timed).failsWithin(Patience.LIMIT).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void aValueThatComesAsynchronouslyEndsTheOperationLikeAnyOther() {
        CompletableFuture<String> same = future.completeAsync(() -> "computed", Runnable::run);
        assertThat(same).isSameAs(future);
        assertThat(stops).hasValue(1);

        future.end(null, new CancellationException());

        assertThat(future).isCompletedWithValue("computed");
    }

    @Test
    void aValueThatCannotBeComputedIsAFailure() {
        IllegalStateException failure = new IllegalStateException("no value");
        CompletableFuture<String> same = future.completeAsync(
                () -> {
                    throw failure;
                },
                Runnable::run);
        future.end("unused", null);

        assertThat(same).failsWithin(Patience.LIMIT).withThrowableThat().withCause(failure);
    }

    @Test
    void itsOutcomeIsNotReplaced() {
        assertThatThrownBy(() -> future.obtrudeValue("other")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> future.obtrudeException(new IllegalStateException()))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    /** 0 to 2 come from outside, 3 is the operation's own end. */
    @Property(tries = 300)
    void theFirstEndDecidesAndDependentCodeRunsOnce(@ForAll @Size(max = 6) List<@IntRange(max = 3) Integer> steps) {
        AtomicInteger stopped = new AtomicInteger();
        OperationFuture<String> random = new OperationFuture<>(stopped::incrementAndGet);
        List<String> outcomes = new ArrayList<>();
        var _ = random.whenComplete((value, failure) ->
                outcomes.add(failure == null ? value : failure.getClass().getName()));
        for (int step : steps) {
            switch (step) {
                case 0 -> random.cancel(false);
                case 1 -> random.complete("outside");
                case 2 -> random.completeExceptionally(new IllegalStateException());
                default -> random.end("operation", null);
            }
            assertThat(random.isDone()).isEqualTo(!outcomes.isEmpty());
        }
        random.end("operation", null);

        int first = steps.isEmpty() ? 3 : steps.get(0);
        assertThat(outcomes)
                .containsExactly(List.of(
                                CancellationException.class.getName(),
                                "outside",
                                IllegalStateException.class.getName(),
                                "operation")
                        .get(first));
        assertThat(stopped).hasValue(first == 3 ? 0 : 1);
    }
}
