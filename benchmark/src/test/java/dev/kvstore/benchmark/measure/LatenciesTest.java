package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatenciesTest {
    private static final long MILLI = 1_000_000;

    @Test
    void thoseOfOtherProcessesAreAddedToTheOwn() {
        Latencies all = latencies(1, 2, 3);

        all.add(Latencies.decoded(latencies(4, 100).encoded()));

        Latencies.Percentiles percentiles = all.percentiles();
        assertThat(percentiles.count()).isEqualTo(5);
        assertThat(percentiles.p50Millis()).isEqualTo(3, within(0.01));
        assertThat(percentiles.maxMillis()).isEqualTo(100, within(0.1));
        assertThat(all.meanMillis()).isEqualTo(22, within(0.1));
    }

    @Test
    void noneAreNothingAlsoFromElsewhere() {
        Latencies none = Latencies.decoded(new Latencies().encoded());

        assertThat(none.percentiles()).isEqualTo(new Latencies.Percentiles(0, 0, 0, 0, 0));
        assertThat(none.meanMillis()).isZero();
    }

    @Test
    void whatIsNoEncodingIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Latencies.decoded("no Base64!"));
    }

    private static Latencies latencies(int... millis) {
        Latencies latencies = new Latencies();
        for (int each : millis) {
            latencies.add(each * MILLI);
        }
        return latencies;
    }
}
