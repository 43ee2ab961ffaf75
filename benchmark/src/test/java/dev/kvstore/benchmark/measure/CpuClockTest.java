package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.measure.CpuClock.CpuReading;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link CpuClock}. */
class CpuClockTest {
    @Test
    void goesOnWhileAProcessWorks() {
        ProcessHandle self = ProcessHandle.current();
        Duration before = CpuClock.of(self);

        while (CpuClock.of(self).equals(before)) {
            Thread.onSpinWait();
        }

        assertThat(CpuClock.of(self)).isGreaterThan(before);
        assertThat(CpuClock.ofTree(self.pid())).isGreaterThan(before);
    }

    @Test
    void readsNothingOfAProcessThatIsGone() {
        assertThat(CpuClock.ofTree(Long.MAX_VALUE)).isZero();
    }

    @Test
    void coresAreTheTimeUsedByTheTimePassed() {
        assertThat(reading(4, Map.of(1L, Duration.ofSeconds(12)))
                        .coresSince(reading(0, Map.of(1L, Duration.ofSeconds(10)))))
                .isEqualTo(0.5);
    }

    @Test
    void aProcessThatBeganMeanwhileCountsAndOneThatEndedTakesNothingAway() {
        CpuReading before = reading(0, Map.of(1L, Duration.ofSeconds(10), 2L, Duration.ofSeconds(100)));

        assertThat(reading(1, Map.of(1L, Duration.ofSeconds(11), 3L, Duration.ofSeconds(3)))
                        .coresSince(before))
                .isEqualTo(4);
    }

    @Test
    void aReadingHasEachProcessOfATree() {
        assertThat(CpuReading.now(ProcessHandle.current().pid()).used())
                .containsKey(ProcessHandle.current().pid());
    }

    private static CpuReading reading(int second, Map<Long, Duration> used) {
        return new CpuReading(used, TimeUnit.SECONDS.toNanos(second));
    }

    @Test
    void readsTheTimeOfChildrenThatHaveEnded() throws Exception {
        Duration before = CpuClock.ofEndedChildren();

        Process busy = new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done").start();

        assertThat(busy.waitFor()).isZero();
        assertThat(CpuClock.ofEndedChildren()).isGreaterThan(before);
    }
}
