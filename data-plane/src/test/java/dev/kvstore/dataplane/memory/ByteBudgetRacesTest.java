package dev.kvstore.dataplane.memory;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.schedule.Schedules;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No schedule loses a caller that waits for bytes, or bytes that nobody holds. */
@Tag("slow")
final class ByteBudgetRacesTest {
    private static final Duration LONG = Duration.ofDays(1);

    @Test
    void bytesThatComeBackReachEveryCallerThatWaits() {
        Schedules.explore(() -> {
            ByteBudget budget = new ByteBudget(10);
            assertThat(budget.tryTake(10)).isTrue();

            race(() -> budget.giveBack(10), () -> use(budget, 6), () -> use(budget, 6), () -> use(budget, 4));

            assertNothingHeld(budget);
        });
    }

    @Test
    void aCallerWhoseThreadIsInterruptedPassesItsTurnOn() {
        Schedules.explore(() -> {
            ByteBudget budget = new ByteBudget(10);
            assertThat(budget.tryTake(10)).isTrue();
            CompletableFuture<Thread> waiting = new CompletableFuture<>();

            race(
                    () -> {
                        waiting.complete(Thread.currentThread());
                        try {
                            use(budget, 6);
                        } catch (InterruptedException e) {
                            // It waits no more.
                        }
                    },
                    () -> waiting.join().interrupt(),
                    () -> use(budget, 4),
                    () -> budget.giveBack(10));

            assertNothingHeld(budget);
        });
    }

    private static void use(ByteBudget budget, long bytes) throws InterruptedException {
        assertThat(budget.take(bytes, LONG)).isTrue();
        assertThat(budget.used()).isBetween(bytes, budget.limit());
        budget.giveBack(bytes);
    }

    private static void assertNothingHeld(ByteBudget budget) {
        assertThat(budget.used()).isZero();
        assertThat(budget.isWaitedFor()).isFalse();
    }
}
