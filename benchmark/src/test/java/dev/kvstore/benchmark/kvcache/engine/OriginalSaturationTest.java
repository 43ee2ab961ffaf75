package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The original's formula; the figures were computed with its own code. */
class OriginalSaturationTest {
    private final OriginalSaturation saturation = new OriginalSaturation();

    private double after(int samples, double firstMillis, double step, double bandwidthStep) {
        double last = 0;
        for (int i = 0; i < samples; i++) {
            last = saturation.add(firstMillis + step * i, 1 + bandwidthStep * i);
        }
        return last;
    }

    @Test
    void isNoneBeforeTenSamples() {
        assertThat(after(9, 500, 0, 0)).isZero();
    }

    @Test
    void risingLatenciesAtASteadyBandwidthCountWhole() {
        assertThat(after(10, 20, 5, 0)).isCloseTo(0.65, within(1e-12));
    }

    @Test
    void fallingLatenciesCountHalf() {
        assertThat(after(10, 65, -5, 0)).isCloseTo(0.325, within(1e-12));
    }

    @Test
    void risingLatenciesAtARisingBandwidthCountHalf() {
        assertThat(after(10, 20, 5, 0.1)).isCloseTo(0.325, within(1e-12));
    }

    @Test
    void isNeverAboveOne() {
        assertThat(after(10, 1_000, 5, 0)).isEqualTo(1);
    }

    @Test
    void onlyTheLastTenSamplesCount() {
        after(1, 1_000, 0, 0);

        assertThat(after(10, 20, 5, 0)).isCloseTo(0.65, within(1e-12));
    }
}
