package dev.kvstore.client.internal;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.RetryOptions;
import dev.kvstore.testing.schedule.RacingThreads.ThreadBody;
import dev.kvstore.testing.schedule.Schedules;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule no token is spent twice, and none is lost. */
@Tag("slow")
final class RetryBudgetRacesTest {
    /** The budget has one token at first, and gets half a token for each operation. */
    private static final RetryOptions OPTIONS =
            new RetryOptions(4, Duration.ofMillis(50), Duration.ofSeconds(2), 50, 1);

    @Test
    void tokensAreSpentOnce() {
        Schedules.explore(() -> {
            RetryBudget budget = new RetryBudget(OPTIONS);
            AtomicInteger retries = new AtomicInteger();
            ThreadBody operation = () -> {
                budget.deposit();
                retries.addAndGet(budget.withdraw() ? 1 : 0);
            };

            race(operation, operation, operation);

            assertThat(retries).hasValue(2);
            assertThat(budget.withdraw()).isFalse();
            budget.deposit();
            assertThat(budget.withdraw()).isTrue();
        });
    }
}
