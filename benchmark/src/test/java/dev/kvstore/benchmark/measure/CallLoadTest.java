package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@link CallLoad}. */
class CallLoadTest {
    @Test
    void eachCallerCallsAgainAndAgainUntilTheEnd() throws InterruptedException {
        CountDownLatch calls = new CountDownLatch(100);
        try (CallLoad load = CallLoad.closed(3, _ -> calls.countDown())) {
            calls.await();
            load.end();

            long done = load.done();
            assertThat(done).isGreaterThanOrEqualTo(100);
            assertThat(load.done()).isEqualTo(done);
        }
    }

    @Test
    void aCallerMayStopTheLoadAndMayHaveAThreadOfThePlatform() throws InterruptedException {
        try (CallLoad load = CallLoad.onPlatformThreads()) {
            assertThat(load.isStoppedWithin(Duration.ZERO)).isFalse();
            var _ = load.with(1, number -> {
                if (number == 9 && !Thread.currentThread().isVirtual()) {
                    load.stop();
                }
            });

            assertThat(load.isStoppedWithin(Duration.ofMinutes(1))).isTrue();
            load.end();
            assertThat(load.done()).isEqualTo(10);
        }
    }

    @Test
    void aPacedCallerWaitsBetweenCallsAndIsWokenAtTheEnd() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1);
        try (CallLoad load = CallLoad.closed(0, _ -> {}).paced(1, Duration.ofHours(1), _ -> first.countDown())) {
            first.await();
            load.end();

            assertThat(load.done()).isEqualTo(1);
        }
    }

    @Test
    void aFailedCallFailsTheLoad() {
        try (CallLoad load = CallLoad.closed(1, number -> {
            throw new IllegalArgumentException("call " + number);
        })) {
            assertThatIllegalStateException().isThrownBy(load::end).withMessageContaining("call 0");
        }
    }

    @Test
    void callersShareTheCallsThatAreToBeMade() throws InterruptedException {
        Set<Integer> made = ConcurrentHashMap.newKeySet();

        CallLoad.calls(4, 0, 1_000, made::add);
        CallLoad.calls(1, 1e6, 3, number -> made.add(-number));

        assertThat(made).hasSize(1_002).contains(0, 999, -2);
    }

    @Test
    void aFailedCallIsTheLastOfThoseThatAreToBeMade() {
        AtomicInteger last = new AtomicInteger();

        assertThatIllegalStateException()
                .isThrownBy(() -> CallLoad.calls(1, 0, 1_000, number -> {
                    last.set(number);
                    if (number == 2) {
                        throw new IllegalArgumentException("call 2");
                    }
                }))
                .withMessageContaining("call 2");
        assertThat(last).hasValue(2);
    }

    @Test
    void aCallThatTakesTooLongIsInterrupted() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (CallLoad load = CallLoad.closed(1, _ -> {
            begun.countDown();
            never.await();
        })) {
            begun.await();
            assertThat(load.end(Duration.ofMillis(1))).isFalse();
        }
        try (CallLoad load = CallLoad.closed(0, _ -> {}).pausing(1, () -> Duration.ofHours(1), _ -> {})) {
            assertThat(load.end(Duration.ofMinutes(1))).isTrue();
        }
    }
}
