package dev.kvstore.dataplane.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AdaptiveThrottleTest {
    private final AtomicLong clock = new AtomicLong();
    private final Random random = new Random(42);
    private final AdaptiveThrottle throttle = new AdaptiveThrottle(clock::get, random::nextDouble);

    private void advance(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    /** Requests that were sent, of so many in a second, to a service that refuses this share. */
    private int second(int wanted, double refusedShare) {
        int sent = 0;
        for (int i = 0; i < wanted; i++) {
            if (throttle.permits()) {
                sent++;
                if (random.nextDouble() < refusedShare) {
                    throttle.refused(Duration.ZERO);
                } else {
                    throttle.accepted();
                }
            }
            clock.addAndGet(1_000_000_000L / wanted);
        }
        return sent;
    }

    private int seconds(int number, int wanted, double refusedShare) {
        int last = 0;
        for (int i = 0; i < number; i++) {
            last = second(wanted, refusedShare);
        }
        return last;
    }

    @Test
    void sendsAllToAServiceThatTakesAll() {
        assertThat(seconds(30, 300, 0)).isEqualTo(300);
    }

    @Test
    void sendsAllToAServiceThatRefusesOneInTwenty() {
        for (int i = 0; i < 60; i++) {
            assertThat(second(300, 0.05)).isEqualTo(300);
        }
    }

    @Test
    void asksAServiceThatRefusesAllAFewTimesASecondAfterHalfAMinute() {
        assertThat(seconds(20, 300, 0)).isEqualTo(300);
        assertThat(seconds(30, 300, 1)).isLessThan(15);
        assertThat(seconds(20, 300, 1)).isBetween(1, 12);
    }

    @Test
    void asksAServiceThatTakesAllAgainAsBeforeWithinHalfAMinute() {
        assertThat(seconds(60, 300, 1)).isBetween(1, 12);

        assertThat(seconds(30, 300, 0)).isEqualTo(300);
    }

    @Test
    void aServiceThatIsHardlyUsedMayRefuseAFew() {
        for (int i = 0; i < 20; i++) {
            assertThat(throttle.permits()).isTrue();
            throttle.refused(Duration.ZERO);
        }
    }

    @Test
    void sendsNothingForAsLongAsAServiceSaysThatAcceptsNothing() {
        assertThat(throttle.permits()).isTrue();
        throttle.refused(Duration.ofSeconds(5));
        advance(Duration.ofMillis(4_999));
        assertThat(throttle.permits()).isFalse();
        advance(Duration.ofMillis(1));

        assertThat(throttle.permits()).isTrue();
    }

    @Test
    void goesOnWithAServiceThatRefusesASingleRequest() {
        assertThat(second(300, 0)).isEqualTo(300);
        throttle.refused(Duration.ofSeconds(5));

        assertThat(throttle.permits()).isTrue();
    }

    @Test
    void noServiceCanAskForSilenceForEver() {
        throttle.refused(Duration.ofDays(10_000));
        advance(AdaptiveThrottle.LONGEST_SILENCE);

        assertThat(throttle.permits()).isTrue();
    }
}
