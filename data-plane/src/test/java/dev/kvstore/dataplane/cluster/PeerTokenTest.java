package dev.kvstore.dataplane.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PeerTokenTest {
    private final SplittableRandom random = new SplittableRandom(1);
    private final PeerToken token = PeerToken.random(random);

    @Test
    void isWhatTheControlPlaneTakes() {
        assertThat(token.secret()).matches("[!-~]{32,128}");
    }

    @Test
    void matchesItselfAlone() {
        assertThat(token.matches(token.secret())).isTrue();
        assertThat(token.matches(PeerToken.random(random).secret())).isFalse();
        assertThat(token.matches(token.secret().substring(1))).isFalse();
        assertThat(token.matches("")).isFalse();
    }

    @Test
    void isNotShownByAccident() {
        assertThat(token.toString()).doesNotContain(token.secret());
    }
}
