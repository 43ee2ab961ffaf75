package dev.kvstore.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class ByteBudgetTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ByteBudget budget = new ByteBudget(100);

    @Test
    void givesWhatIsLeft() throws InterruptedException {
        assertThat(budget.take(60, LONG)).isTrue();
        assertThat(budget.tryTake(41)).isFalse();
        assertThat(budget.tryTake(40)).isTrue();
        assertThat(budget.used()).isEqualTo(100);
    }

    @Test
    void refusesMoreThanTheLimitAtOnce() throws InterruptedException {
        assertThat(budget.take(101, LONG)).isFalse();
    }

    @Test
    void refusesAfterPatienceAndTakesNothing() throws InterruptedException {
        budget.take(100, LONG);

        assertThat(budget.take(1, Duration.ofMillis(1))).isFalse();
        assertThat(budget.used()).isEqualTo(100);
    }

    @Test
    void aTakerWaitsUntilOthersGiveBack() throws InterruptedException {
        budget.take(100, LONG);
        CompletableFuture<Boolean> waiting = taking(50);

        budget.giveBack(60);

        assertThat(waiting.join()).isTrue();
        assertThat(budget.used()).isEqualTo(90);
    }

    @Test
    void aLargeTakerIsNotOvertakenBySmallOnes() throws InterruptedException {
        budget.take(100, LONG);
        CompletableFuture<Boolean> large = taking(100);
        Awaitility.await().until(budget::isWaitedFor);

        budget.giveBack(50);

        assertThat(budget.tryTake(1)).isFalse();
        budget.giveBack(50);
        assertThat(large.join()).isTrue();
    }

    private CompletableFuture<Boolean> taking(long bytes) {
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                taken.complete(budget.take(bytes, LONG));
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        return taken;
    }
}
