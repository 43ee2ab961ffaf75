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

    @Test
    void readsTheTimeOfChildrenThatHaveEnded() throws Exception {
        Duration before = CpuClock.ofEndedChildren();

        Process busy = new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done").start();

        assertThat(busy.waitFor()).isZero();
        assertThat(CpuClock.ofEndedChildren()).isGreaterThan(before);
    }
}
