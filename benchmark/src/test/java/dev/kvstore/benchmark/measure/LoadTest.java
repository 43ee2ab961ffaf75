package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** {@link Load}. */
class LoadTest {
    @Test
    void eachCallerCallsAgainAndAgainUntilTheEnd() throws InterruptedException {
        CountDownLatch calls = new CountDownLatch(100);
        try (Load load = Load.closed(3, _ -> calls.countDown())) {
            calls.await();
            load.end();

            long done = load.done();
            assertThat(done).isGreaterThanOrEqualTo(100);
            assertThat(load.done()).isEqualTo(done);
        }
    }

    @Test
    void aPacedCallerWaitsBetweenCallsAndIsWokenAtTheEnd() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1);
        try (Load load = Load.closed(0, _ -> {}).paced(1, Duration.ofHours(1), _ -> first.countDown())) {
            first.await();
            load.end();

            assertThat(load.done()).isEqualTo(1);
        }
    }

    @Test
    void aFailedCallFailsTheLoad() {
        try (Load load = Load.closed(1, number -> {
            throw new IllegalArgumentException("call " + number);
        })) {
            assertThatIllegalStateException().isThrownBy(load::end).withMessageContaining("call 0");
        }
    }
}
