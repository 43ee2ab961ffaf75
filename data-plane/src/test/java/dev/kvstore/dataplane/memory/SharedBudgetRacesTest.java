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
final class SharedBudgetRacesTest {
    private static final long LIMIT = 10;
    private static final Duration LONG = Duration.ofDays(1);

    @Test
    void bytesThatComeBackReachEveryCallerThatWaits() {
        Schedules.explore(() -> {
            SharedBudget budget = new SharedBudget(LIMIT, LIMIT);
            assertThat(budget.take("a", LIMIT, LONG)).isTrue();

            race(() -> budget.giveBack("a", LIMIT), () -> use(budget, "b", 6), () -> use(budget, "c", 6));

            assertNothingHeld(budget);
        });
    }

    @Test
    void aCallerWhoseThreadIsInterruptedLeavesNothingTaken() {
        Schedules.explore(() -> {
            SharedBudget budget = new SharedBudget(LIMIT, LIMIT);
            assertThat(budget.take("a", LIMIT, LONG)).isTrue();
            CompletableFuture<Thread> waiting = new CompletableFuture<>();

            race(
                    () -> {
                        waiting.complete(Thread.currentThread());
                        try {
                            use(budget, "b", 6);
                        } catch (InterruptedException e) {
                            // Its bytes, if it was given any, are back.
                        }
                    },
                    () -> waiting.join().interrupt(),
                    () -> use(budget, "c", 6),
                    () -> budget.giveBack("a", LIMIT));

            assertNothingHeld(budget);
        });
    }

    @Test
    void bytesThatATierKeepsMakeRoomForTheirHolder() {
        Schedules.explore(() -> {
            SharedBudget budget = new SharedBudget(LIMIT, 4);
            assertThat(budget.take("a", 4, LONG)).isTrue();

            race(
                    () -> {
                        budget.disown("a", 4);
                        budget.disown("a", -4);
                        budget.giveBack("a", 4);
                    },
                    () -> use(budget, "a", 4),
                    () -> use(budget, "b", 4));

            assertNothingHeld(budget);
        });
    }

    private static void use(SharedBudget budget, Object holder, long bytes) throws InterruptedException {
        assertThat(budget.take(holder, bytes, LONG)).isTrue();
        assertThat(budget.used()).isBetween(bytes, LIMIT);
        budget.giveBack(holder, bytes);
    }

    private static void assertNothingHeld(SharedBudget budget) {
        assertThat(budget.used()).isZero();
        assertThat(budget.mostOfOneHolder()).isZero();
        assertThat(budget.takers()).isZero();
        assertThat(budget.tryTake(SharedBudget.NOBODY, LIMIT)).isTrue();
    }
}
