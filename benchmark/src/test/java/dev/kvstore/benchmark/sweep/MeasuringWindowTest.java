package dev.kvstore.benchmark.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class MeasuringWindowTest {
    private static final long HOUR = 3_600_000_000_000L;

    @Test
    void hasItsBeginAndNotItsEnd() {
        MeasuringWindow window = new MeasuringWindow(-10, 10);

        assertThat(window.contains(-11)).isFalse();
        assertThat(window.contains(-10)).isTrue();
        assertThat(window.contains(9)).isTrue();
        assertThat(window.contains(10)).isFalse();
        assertThat(window.isOver(9)).isFalse();
        assertThat(window.isOver(10)).isTrue();
    }

    @Test
    void whoWaitsForItsEndIsFreedWhenItIsClosedEarly() throws InterruptedException {
        long now = System.nanoTime();
        MeasuringWindow window = new MeasuringWindow(now, now + HOUR);

        window.close(now + 2_000_000_000L);

        window.awaitEnd();
        assertThat(window.await(now + HOUR / 2)).isFalse();
        assertThat(window.seconds()).isEqualTo(2);
    }

    @Test
    void onlyTheFirstCloseCounts() {
        MeasuringWindow window = new MeasuringWindow(0, 100);

        window.close(50);
        window.close(70);

        assertThat(window.isOver(60)).isTrue();
    }
}
