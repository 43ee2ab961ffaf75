package dev.kvstore.benchmark.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** Calls of users that must not notice an attack. */
class HonestCallsTest {
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    private HonestCalls<AutoCloseable> calls(int perSecond, IntConsumer call) {
        return new HonestCalls<>(
                perSecond,
                () -> {
                    made.incrementAndGet();
                    return closed::incrementAndGet;
                },
                (_, number) -> call.accept(number));
    }

    @Test
    void eachSecondHasAClientOfItsOwn() throws InterruptedException {
        HonestCalls.CallWindow window = calls(10, _ -> {}).call(2);

        assertThat(window.calls()).isEqualTo(20);
        assertThat(made).hasValue(2);
        assertThat(closed).hasValue(2);
    }

    @Test
    void noTwoCallsHaveTheSameNumberInOneWindowOrTheNext() throws InterruptedException {
        Queue<Integer> numbers = new ConcurrentLinkedQueue<>();
        HonestCalls<AutoCloseable> calls = calls(10, numbers::add);

        HonestCalls.CallWindow _ = calls.call(1);
        HonestCalls.CallWindow _ = calls.call(1);

        assertThat(numbers).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void aCallThatFailsIsLostAndSaysWhy() throws InterruptedException {
        HonestCalls.CallWindow window = calls(10, number -> {
                    if (number == 3) {
                        throw new IllegalStateException("refused");
                    }
                })
                .call(1);

        assertThat(window.lost()).isEqualTo(1);
        assertThat(window.firstFailure()).isEqualTo("refused");
    }
}
