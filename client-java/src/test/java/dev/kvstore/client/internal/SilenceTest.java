package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.internal.Silence.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final long HALF = LIMIT.toNanos() / 2;
    private static final int LOOKS = (int) (HALF / Silence.TICK.toNanos());

    private final Silence silence = new Silence();

    @Test
    void whoOwesAnAnswerIsAskedAfterHalfTheLimit() {
        assertThat(silence.look(true, 0, HALF - 1, LIMIT)).isEqualTo(Verdict.ALIVE);
        assertThat(silence.look(true, 0, HALF, LIMIT)).isEqualTo(Verdict.ASK);
    }

    @Test
    void whoOwesNothingIsLeftInPeace() {
        assertThat(silence.look(false, 0, 100 * HALF, LIMIT)).isEqualTo(Verdict.ALIVE);
    }

    @Test
    void whoIsStillSilentAfterTheOtherHalfIsFrozen() {
        silence.look(true, 0, HALF, LIMIT);
        for (int look = 1; look < LOOKS; look++) {
            assertThat(silence.look(true, 0, HALF + look, LIMIT)).isNotEqualTo(Verdict.FROZEN);
        }
        assertThat(silence.look(true, 0, 2 * HALF, LIMIT)).isEqualTo(Verdict.FROZEN);
    }

    @Test
    void whoDoesNotAnswerIsAskedOnceMoreOverAConnectionOfItsOwn() {
        silence.look(true, 0, HALF, LIMIT);
        for (int look = 1; look < LOOKS; look++) {
            assertThat(silence.look(true, 0, HALF + look, LIMIT))
                    .isEqualTo(look == LOOKS / 2 ? Verdict.ASK_ASIDE : Verdict.ALIVE);
        }
    }

    @Test
    void whoAnswersWhenAskedIsAlive() {
        silence.look(true, 0, HALF, LIMIT);
        for (int look = 1; look <= 2 * LOOKS; look++) {
            assertThat(silence.look(true, HALF + 1, HALF + 2, LIMIT)).isEqualTo(Verdict.ALIVE);
        }
    }

    @Test
    void aClientThatStoodStillItselfBlamesNobody() {
        silence.look(true, 0, HALF, LIMIT);
        assertThat(silence.look(true, 0, 1_000 * HALF, LIMIT)).isEqualTo(Verdict.ALIVE);
    }
}
