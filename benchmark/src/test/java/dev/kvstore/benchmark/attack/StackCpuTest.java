package dev.kvstore.benchmark.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Processors that programs use between two readings. */
class StackCpuTest {
    private static final Map<Long, Duration> NOBODY = Map.of();

    private static StackCpu ofDatabase(Map<Long, Duration> used, int second) {
        return new StackCpu(NOBODY, NOBODY, used, TimeUnit.SECONDS.toNanos(second));
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void areTheTimeUsedByTheTimePassed() {
        StackCpu before = ofDatabase(Map.of(1L, seconds(10)), 100);

        StackCpu.Cores cores = ofDatabase(Map.of(1L, seconds(12)), 104).since(before);

        assertThat(cores).isEqualTo(new StackCpu.Cores(0, 0, 0.5));
    }

    @Test
    void countAProcessThatBeganMeanwhile() {
        StackCpu before = ofDatabase(Map.of(1L, seconds(10)), 0);

        StackCpu.Cores cores =
                ofDatabase(Map.of(1L, seconds(10), 2L, seconds(3)), 1).since(before);

        assertThat(cores.database()).isEqualTo(3);
    }

    @Test
    void areNoFewerForAProcessThatEndedMeanwhile() {
        StackCpu before = ofDatabase(Map.of(1L, seconds(10), 2L, seconds(100)), 0);

        StackCpu.Cores cores = ofDatabase(Map.of(1L, seconds(11)), 1).since(before);

        assertThat(cores.database()).isEqualTo(1);
    }
}
