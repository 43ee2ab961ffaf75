package dev.kvstore.benchmark.kvcache.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The knee. */
class RateSweepTest {
    private static RateSweep.RatePoint point(double rate, long withinTarget) {
        return new RateSweep.RatePoint(rate, 100, withinTarget);
    }

    @Test
    void isTheHighestRateUpToWhichEnoughIsAnsweredInTime() {
        assertThat(RateSweep.knee(List.of(point(1, 100), point(2, 95), point(4, 94), point(8, 10))))
                .isEqualTo(2);
    }

    /** At a higher rate luck may help. */
    @Test
    void doesNotComeBackAfterARateThatWasTooMuch() {
        assertThat(RateSweep.knee(List.of(point(1, 100), point(2, 50), point(4, 100))))
                .isEqualTo(1);
    }

    @Test
    void isZeroIfTheLowestRateIsTooMuch() {
        assertThat(RateSweep.knee(List.of(point(1, 0)))).isZero();
    }

    @Test
    void eachRateIsARunOfItsOwn() {
        assertThat(RateSweep.runs(List.of(0.5, 10.0), "gamma").stream().map(SuiteRun::flags))
                .containsExactly(
                        List.of("--arrival=gamma", "--request-rate=0.5"),
                        List.of("--arrival=gamma", "--request-rate=10"));
    }
}
