package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PeerSpreadTest {
    @Test
    void hasTheMiddleAndTheEnds() {
        assertThat(PeerSpread.of(3, 1, 2)).isEqualTo(new PeerSpread(2, 1, 3));
        assertThat(PeerSpread.of(4, 1)).isEqualTo(new PeerSpread(2.5, 1, 4));
    }

    @Test
    void deviatesByTheFactorOfTheFarthestRound() {
        assertThat(PeerSpread.of(1, 2, 3).deviation()).isCloseTo(1.0, within(1e-9));
        assertThat(PeerSpread.of(2, 2, 3).deviation()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void oneRoundDoesNotDeviate() {
        assertThat(PeerSpread.of(7).deviation()).isZero();
        assertThat(PeerSpread.of(0, 0).deviation()).isZero();
    }
}
