package dev.kvstore.launcher.numa;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class BackOffTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1); // nanoTime may overflow
    private final BackOff backOff = new BackOff(now::get);

    @Test
    void eachPauseIsTwiceTheLastUpToAMinute() {
        assertThat(Stream.generate(backOff::died).limit(9).map(Duration::toSeconds))
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }

    @Test
    void aProcessThatServedForTwoMinutesBeginsAnew() {
        dieTimes(5);

        assertThat(dieAfterServing(BackOff.HEALTHY)).isEqualTo(BackOff.FIRST);
        assertThat(backOff.died()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aProcessThatServedForLessDoesNot() {
        dieTimes(5);

        assertThat(dieAfterServing(BackOff.HEALTHY.minusNanos(1))).isEqualTo(Duration.ofSeconds(32));
    }

    @Test
    void timeBeforeItServedDoesNotCount() {
        dieTimes(5);
        now.addAndGet(BackOff.HEALTHY.toNanos());

        assertThat(backOff.died()).isEqualTo(Duration.ofSeconds(32));
    }

    @Property
    void everyPauseIsInItsRangeAndNoneShrinksWithoutHealth(@ForAll List<@IntRange(max = 240) Integer> servedSeconds) {
        Duration last = Duration.ZERO;
        for (int seconds : servedSeconds) {
            Duration served = Duration.ofSeconds(seconds);
            Duration pause = dieAfterServing(served);

            assertThat(pause).isBetween(BackOff.FIRST, BackOff.LONGEST);
            if (served.compareTo(BackOff.HEALTHY) >= 0) {
                assertThat(pause).isEqualTo(BackOff.FIRST);
            } else {
                assertThat(pause).isGreaterThanOrEqualTo(last);
            }
            last = pause;
        }
    }

    private void dieTimes(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(backOff.died()).isPositive();
        }
    }

    private Duration dieAfterServing(Duration served) {
        backOff.serving();
        now.addAndGet(served.toNanos());
        return backOff.died();
    }
}
