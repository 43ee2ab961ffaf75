package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void hasTheMiddleAndTheEnds() {
        assertThat(Spread.of(3, 1, 2)).isEqualTo(new Spread(2, 1, 3));
        assertThat(Spread.of(4, 1)).isEqualTo(new Spread(2.5, 1, 4));
    }

    @Test
    void deviatesByTheFactorOfTheFarthestRound() {
        assertThat(Spread.of(1, 2, 3).deviation()).isCloseTo(1.0, within(1e-9));
        assertThat(Spread.of(2, 2, 3).deviation()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void oneRoundDoesNotDeviate() {
        assertThat(Spread.of(7).deviation()).isZero();
        assertThat(Spread.of(0, 0).deviation()).isZero();
    }
}
