package dev.kvstore.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class SharedBudgetTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final SharedBudget budget = new SharedBudget(100, 10);

    @Test
    void oneHolderHasFourFifthsAndTheRestIsFreeForOthers() {
        assertThat(budget.tryTake("a", 80)).isTrue();
        assertThat(budget.tryTake("a", 1)).isFalse();

        assertThat(budget.tryTake("b", 16)).isTrue();
        assertThat(budget.tryTake("b", 1)).isFalse();
        assertThat(budget.tryTake("c", 4)).isTrue();
        assertThat(budget.used()).isEqualTo(100);
        assertThat(budget.mostOfOneHolder()).isEqualTo(80);
    }

    @Test
    void whatIsNobodysMayTakeAllThatIsFree() {
        assertThat(budget.tryTake(SharedBudget.NOBODY, 100)).isTrue();
        assertThat(budget.tryTake(SharedBudget.NOBODY, 1)).isFalse();
    }

    @Test
    void refusesMoreThanTheLimitAtOnce() throws InterruptedException {
        assertThat(budget.take("a", 101, LONG)).isFalse();
    }

    @Test
    void refusesAfterPatienceAndTakesNothing() throws InterruptedException {
        budget.charge("a", 100);

        assertThat(budget.take("b", 1, Duration.ofMillis(1))).isFalse();
        assertThat(budget.used()).isEqualTo(100);
        assertThat(budget.takers()).isZero();
    }

    @Test
    void aTakerWaitsUntilOthersGiveBack() {
        budget.charge("a", 100);
        CompletableFuture<Boolean> waiting = taking("b", 8);

        budget.giveBack("a", 60);

        assertThat(waiting.join()).isTrue();
        assertThat(budget.used()).isEqualTo(48);
    }

    @Test
    void aHolderThatHasAllItMayIsPassedOver() {
        budget.charge("a", 80);
        CompletableFuture<Boolean> greedy = taking("a", 10);
        Awaitility.await().until(() -> budget.takers() > 0);

        assertThat(budget.tryTake("b", 10)).isTrue();
        assertThat(greedy).isNotDone();
        budget.giveBack("b", 10);
        assertThat(greedy).isNotDone();
        budget.giveBack("a", 80);
        assertThat(greedy.join()).isTrue();
    }

    @Test
    void aLargeTakerIsNotOvertakenBySmallOnesOfOthers() {
        SharedBudget large = new SharedBudget(100, 100);
        large.charge("a", 90);
        CompletableFuture<Boolean> waiting =
                CompletableFuture.supplyAsync(() -> take(large, "b", 50), task -> Thread.startVirtualThread(task));
        Awaitility.await().until(() -> large.takers() > 0);

        assertThat(large.tryTake("c", 1)).isFalse();
        large.giveBack("a", 90);
        assertThat(waiting.join()).isTrue();
        assertThat(large.tryTake("c", 1)).isTrue();
    }

    @Test
    void holdersTakeTurns() {
        budget.charge(SharedBudget.NOBODY, 100);
        List<CompletableFuture<Boolean>> greedy = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            greedy.add(taking("a", 5));
        }
        Awaitility.await().until(() -> budget.takers() == 20);
        CompletableFuture<Boolean> modest = taking("b", 5);
        Awaitility.await().until(() -> budget.takers() == 21);

        // Room for one after the other: the second at the latest is the modest holder's.
        budget.giveBack(SharedBudget.NOBODY, 5);
        budget.giveBack(SharedBudget.NOBODY, 5);

        assertThat(modest.join()).isTrue();
        budget.giveBack(SharedBudget.NOBODY, 90);
        budget.giveBack("b", 5);
        for (int done = 0; done < 20; done++) {
            CompletableFuture<?> any = CompletableFuture.anyOf(greedy.toArray(CompletableFuture[]::new));
            assertThat(any.join()).isEqualTo(true);
            greedy.removeIf(CompletableFuture::isDone);
            if (greedy.isEmpty()) {
                break;
            }
            budget.giveBack("a", 5);
        }
    }

    @Test
    void whatIsKeptForNobodyIsNoShareOfItsHolder() {
        budget.tryTake("a", 80);
        budget.disown("a", 80);
        assertThat(budget.used()).isEqualTo(80);

        assertThat(budget.tryTake("a", 10)).isTrue();

        budget.disown("a", -80);
        budget.giveBack("a", 90);
        assertThat(budget.used()).isZero();
        assertThat(budget.mostOfOneHolder()).isZero();
    }

    /** A newcomer finds something, whatever any number of others took. */
    @Property(tries = 300)
    void someIsLeftForWhoeverComes(@ForAll @Size(max = 200) List<@IntRange(min = 0, max = 59) Integer> steps) {
        SharedBudget large = new SharedBudget(1_000_000, 0);
        Map<String, Long> held = new HashMap<>();
        for (int step : steps) {
            String holder = "h" + step % 3;
            long bytes = 1_000L * (1 + step);
            long mine = held.getOrDefault(holder, 0L);
            long used = held.values().stream().mapToLong(Long::longValue).sum();
            if (step % 5 == 0 && mine > 0) {
                large.giveBack(holder, mine);
                held.put(holder, 0L);
            } else {
                boolean taken = large.tryTake(holder, bytes);
                assertThat(taken).isEqualTo(mine + bytes <= SharedBudget.PARTS * (1_000_000 - used - bytes));
                if (taken) {
                    held.merge(holder, bytes, Long::sum);
                }
            }
            long now = held.values().stream().mapToLong(Long::longValue).sum();
            assertThat(large.used()).isEqualTo(now);
            // Three holders, each with four times what is free.
            assertThat(1_000_000 - now).isGreaterThan(1_000_000 / 125);
        }
    }

    private CompletableFuture<Boolean> taking(Object holder, long bytes) {
        return CompletableFuture.supplyAsync(
                () -> take(budget, holder, bytes), task -> Thread.startVirtualThread(task));
    }

    private static boolean take(SharedBudget from, Object holder, long bytes) {
        try {
            return from.take(holder, bytes, LONG);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
