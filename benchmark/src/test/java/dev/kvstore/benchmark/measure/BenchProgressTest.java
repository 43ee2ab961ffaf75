package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link BenchProgress}. */
class BenchProgressTest {
    private final List<String> lines = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private final BenchProgress progress = new BenchProgress(lines::add, () -> now);

    @Test
    void theFirstStepSaysOnlyWhichItIs() {
        progress.plan(4);

        progress.step("reads");

        assertThat(lines).containsExactly("1/4: reads");
    }

    @Test
    void laterStepsSayHowLongTheOthersTakeIfTheyTakeAsLong() {
        progress.plan(4);
        progress.step("reads");
        now = now.plusSeconds(30);

        progress.step("writes");

        assertThat(lines).last().isEqualTo("2/4, 1:30 min left: writes");
    }

    @Test
    void whatIsLeftIsInSecondsBelowAMinute() {
        progress.plan(3);
        progress.step("reads");
        now = now.plusSeconds(10);

        progress.step("writes");

        assertThat(lines).last().isEqualTo("2/3, 20 s left: writes");
    }

    @Test
    void anyOtherLineIsSaidAsItIs() {
        progress.accept("starting");

        assertThat(lines).containsExactly("starting");
    }

    @Test
    void moreStepsThanPlannedAreAFault() {
        progress.plan(1);
        progress.step("reads");

        assertThatThrownBy(() -> progress.step("writes")).isInstanceOf(IllegalStateException.class);
    }
}
