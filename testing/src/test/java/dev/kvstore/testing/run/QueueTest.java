package dev.kvstore.testing.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueTest {
    private static final TestModule LONG = module("long");
    private static final TestModule SHORT = module("short");

    @Test
    void givesTheLongestUnitOfAModuleFirst() {
        Queue queue = new Queue(List.of(unit(LONG, "A", 1), unit(LONG, "B", 3), unit(LONG, "C", 2)));

        assertThat(List.of(first(queue.next(null)), first(queue.next(LONG)), first(queue.next(LONG))))
                .containsExactly("B", "C", "A");
        assertThat(queue.next(LONG)).isEmpty();
    }

    @Test
    void keepsAWorkerAtItsModuleWhileThatHasUnits() {
        Queue queue = new Queue(List.of(unit(SHORT, "A", 1), unit(SHORT, "B", 1), unit(LONG, "C", 9)));

        assertThat(first(queue.next(SHORT))).isEqualTo("A");
        assertThat(first(queue.next(SHORT))).isEqualTo("B");
        assertThat(first(queue.next(SHORT))).isEqualTo("C");
    }

    @Test
    void sendsANewWorkerToTheModuleWithTheMostLeftPerWorker() {
        Queue queue = new Queue(List.of(
                unit(LONG, "A", 5), unit(LONG, "B", 5), unit(LONG, "C", 2), unit(SHORT, "D", 4), unit(SHORT, "E", 1)));

        assertThat(first(queue.next(null))).isEqualTo("A");
        // 7 s are left of the long module, for two workers then; 5 s of the short one.
        assertThat(first(queue.next(null))).isEqualTo("D");
        assertThat(first(queue.next(null))).isEqualTo("B");
    }

    private static String first(java.util.Optional<TestUnit> unit) {
        return unit.orElseThrow().classes().getFirst();
    }

    private static TestUnit unit(TestModule module, String name, int seconds) {
        return new TestUnit(module, List.of(name), Duration.ofSeconds(seconds));
    }

    private static TestModule module(String name) {
        return new TestModule(name, Path.of(name), List.of(), List.of());
    }
}
