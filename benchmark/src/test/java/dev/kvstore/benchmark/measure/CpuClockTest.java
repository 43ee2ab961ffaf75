package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** {@link CpuClock}. */
class CpuClockTest {
    @Test
    void goesOnWhileAProcessWorks() {
        ProcessHandle self = ProcessHandle.current();
        Duration before = CpuClock.of(self);
        long work = 0;

        while (CpuClock.of(self).equals(before)) {
            work++;
        }

        assertThat(work).isPositive();
        assertThat(CpuClock.ofTree(self.pid())).isGreaterThan(before);
    }

    @Test
    void readsNothingOfAProcessThatIsGone() {
        assertThat(CpuClock.ofTree(Long.MAX_VALUE)).isZero();
    }
}
