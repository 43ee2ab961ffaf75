package dev.kvstore.client.internal;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.testing.schedule.Schedules;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule a future ends when its operation is over, and a result that nobody gets is discarded. */
@Tag("slow")
final class BoundedThreadsRacesTest {
    private static final int LIMIT = 2;

    @Test
    void aCancelledOperationsResultIsDiscardedOrDelivered() {
        Schedules.explore(() -> {
            BoundedThreads threads = new BoundedThreads(LIMIT);
            AtomicInteger discarded = new AtomicInteger();
            CompletableFuture<String> future = threads.run(() -> "result", _ -> discarded.incrementAndGet());

            race(() -> future.cancel(false), () -> future.complete("early"));
            String outcome = future.handle((result, failure) -> failure == null ? result : "cancelled")
                    .join();

            assertAllFree(threads);
            assertThat(discarded.get() + (outcome.equals("result") ? 1 : 0)).isLessThanOrEqualTo(1);
        });
    }

    @Test
    void closingStopsAnOperationThatBegins() {
        Schedules.explore(() -> {
            BoundedThreads threads = new BoundedThreads(LIMIT);

            race(threads::close, () -> {
                CompletableFuture<String> future = threads.run(BoundedThreadsRacesTest::untilInterrupted);
                assertThat(future.join()).isEqualTo("interrupted");
            });
        });
    }

    @Test
    void aThreadThatEndsMakesRoomBeforeItsFutureTells() {
        Schedules.explore(() -> {
            BoundedThreads threads = new BoundedThreads(1);

            assertThat(threads.run(() -> 1).join()).isEqualTo(1);

            assertThat(threads.run(() -> 2).join()).isEqualTo(2);
        });
    }

    private static String untilInterrupted() {
        try {
            new CountDownLatch(1).await();
            return "never";
        } catch (InterruptedException e) {
            return "interrupted";
        }
    }

    private static void assertAllFree(BoundedThreads threads) {
        CountDownLatch all = new CountDownLatch(1);
        CompletableFuture<?> first = threads.run(() -> waitFor(all));
        CompletableFuture<?> second = threads.run(() -> waitFor(all));
        CompletableFuture<?> refused = threads.run(() -> waitFor(all));
        all.countDown();
        first.join();
        second.join();
        assertThatThrownBy(refused::join).isInstanceOf(CompletionException.class);
    }

    private static boolean waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            // The client is closed.
        }
        return true;
    }
}
