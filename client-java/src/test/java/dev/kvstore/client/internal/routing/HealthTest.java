package dev.kvstore.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.internal.routing.Health.State;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static final long BASE = RoutingRules.EJECTION_BASE.toNanos();
    private static final long LEAST = RoutingRules.TIMEOUT_LEAST.toNanos();
    private static final long MOST = RoutingRules.EJECTION_MOST.toNanos();

    private final Health health = new Health();

    @Test
    void aFailureEjectsForTheBaseTimeToTheTick() {
        health.failed(0, 10, true);
        assertThat(health.state(10 + BASE - 1)).isEqualTo(State.EJECTED);
        assertThat(health.state(10 + BASE)).isEqualTo(State.ON_TRIAL);
    }

    @Test
    void theNextFailureEjectsForTwiceTheBaseTime() {
        health.failed(0, 0, true);
        health.failed(BASE, BASE, true);
        assertThat(health.state(3 * BASE - 1)).isEqualTo(State.EJECTED);
        assertThat(health.state(3 * BASE)).isEqualTo(State.ON_TRIAL);
    }

    @Test
    void noEjectionIsLongerThanTheMost() {
        long now = 0;
        for (int i = 0; i < 100; i++) {
            now += MOST;
            health.failed(now, now, true);
        }
        assertThat(health.state(now + MOST - 1)).isEqualTo(State.EJECTED);
        assertThat(health.state(now + MOST)).isEqualTo(State.ON_TRIAL);
    }

    @Test
    void whatFailsTogetherCountsOnce() {
        health.failed(0, 0, true);
        assertThat(health.failed(0, 1, true)).isFalse();
        assertThat(health.failed(-5, BASE + 1, true)).isFalse();
        assertThat(health.ejections()).isEqualTo(1);
    }

    @Test
    void anAnswerMakesItWholeAndForgetsTheRow() {
        health.failed(0, 0, true);
        assertThat(health.answered(BASE)).isTrue();
        assertThat(health.state(BASE)).isEqualTo(State.WHOLE);
        health.failed(2 * BASE, 2 * BASE, true);
        assertThat(health.state(3 * BASE)).isEqualTo(State.ON_TRIAL);
    }

    @Test
    void anAnswerToWhatBeganBeforeTheFailureSaysNothing() {
        health.failed(5, 10, true);
        assertThat(health.answered(9)).isFalse();
        assertThat(health.state(11)).isEqualTo(State.EJECTED);
    }

    @Test
    void oneOperationAtATimeTriesIt() {
        assertThat(health.beginTrial()).isTrue();
        assertThat(health.beginTrial()).isFalse();
        health.endTrial();
        assertThat(health.beginTrial()).isTrue();
    }

    @Test
    void theLastTimeoutOfARowEjectsAndTheOneBeforeDoesNot() {
        for (int i = 1; i < RoutingRules.TIMEOUTS_TO_EJECT; i++) {
            assertThat(health.timedOut(i, i + LEAST)).isFalse();
        }
        assertThat(health.state(10 + LEAST)).isEqualTo(State.WHOLE);
        assertThat(health.timedOut(10, 10 + LEAST)).isTrue();
        assertThat(health.state(10 + LEAST)).isEqualTo(State.EJECTED);
    }

    @Test
    void anAnswerEndsARowOfTimeouts() {
        for (int i = 1; i < RoutingRules.TIMEOUTS_TO_EJECT; i++) {
            health.timedOut(i, i + LEAST);
        }
        health.answered(10);
        assertThat(health.timedOut(11, 11 + LEAST)).isFalse();
    }

    @Test
    void anotherProcessOfThatNameStartsAnew() {
        health.failed(0, 0, true);
        health.forget(5);
        assertThat(health.state(6)).isEqualTo(State.WHOLE);
    }

    @Test
    void whatFailsLateAtTheProcessBeforeSaysNothingOfTheOneAfter() {
        health.forget(5);
        assertThat(health.failed(4, 10, true)).isFalse();
        assertThat(health.state(10)).isEqualTo(State.WHOLE);
        assertThat(health.failed(5, 10, true)).isTrue();
    }

    @Test
    void whatBeganBeforeAnAnswerThatMadeItWholeSaysNothing() {
        health.failed(0, 0, true);
        health.answered(2 * BASE);
        assertThat(health.failed(2 * BASE - 1, 3 * BASE, true)).isFalse();
        assertThat(health.failed(2 * BASE, 3 * BASE, true)).isTrue();
    }

    @Test
    void aTimeoutThatIsTooShortForAnyProcessSaysNothing() {
        for (int i = 0; i < 10 * RoutingRules.TIMEOUTS_TO_EJECT; i++) {
            assertThat(health.timedOut(i, i + LEAST - 1)).isFalse();
        }
    }
}
