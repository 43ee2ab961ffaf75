package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final RetryOptions OPTIONS =
            new RetryOptions(20, Duration.ofMillis(50), Duration.ofSeconds(2), 10, 10);

    @Test
    void theBudgetIsItsBurstAndAShareOfTheOperations() {
        RetryBudget budget = new RetryBudget(OPTIONS);
        for (int i = 0; i < 200; i++) {
            budget.deposit();
        }
        int retries = 0;
        while (budget.withdraw()) {
            retries++;
        }
        assertThat(retries).isEqualTo(10 + 200 / 10);
    }

    @Test
    void aQuietTimeCannotSaveUpMoreThanTenBursts() {
        RetryBudget budget = new RetryBudget(OPTIONS);
        for (int i = 0; i < 100_000; i++) {
            budget.deposit();
        }
        int retries = 0;
        while (budget.withdraw()) {
            retries++;
        }
        assertThat(retries).isEqualTo(100);
    }

    @Property(tries = 200)
    void backoffDoublesUpToItsLimit(@ForAll @IntRange(min = 0, max = 19) int attempts, @ForAll long seed) {
        Duration pause = policy(seed).pause(attempts, unavailable(null), MINUTE);
        long limit = Math.min(2000, 50L << Math.max(0, attempts - 1));
        assertThat(pause).isBetween(Duration.ZERO, Duration.ofMillis(limit));
    }

    @Property(tries = 100)
    void theServersOwnDelayIsKeptAndSpreadByAFifth(@ForAll long seed) {
        Duration pause = policy(seed).pause(1, unavailable(Duration.ofSeconds(1)), MINUTE);
        assertThat(pause).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1200));
    }

    @Test
    void aPauseThatOutlastsTheDeadlineIsNotMade() {
        assertThat(policy(1).pause(1, unavailable(Duration.ofSeconds(1)), Duration.ofMillis(900)))
                .isNull();
    }

    @Test
    void theLastAttemptIsTheLast() {
        assertThat(policy(1).pause(20, unavailable(null), MINUTE)).isNull();
    }

    @Test
    void damageIsNotRetried() {
        assertThat(policy(1).pause(1, new KvStoreException(ErrorCode.DATA_LOSS, "damaged"), MINUTE))
                .isNull();
    }

    private static RetryPolicy policy(long seed) {
        return new RetryPolicy(OPTIONS, new RetryBudget(OPTIONS), new SplittableRandom(seed));
    }

    private static KvStoreException unavailable(@Nullable Duration hint) {
        return new KvStoreException(ErrorCode.UNAVAILABLE, "away", List.of(), hint);
    }
}
