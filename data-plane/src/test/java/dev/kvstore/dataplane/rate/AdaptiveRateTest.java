package dev.kvstore.dataplane.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class AdaptiveRateTest {
    private final AtomicLong clock = new AtomicLong();
    private final AdaptiveRate rate = new AdaptiveRate(clock::get);

    private void advance(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    /** Tries to send so many requests in a second, evenly; answers how many were permitted. */
    private int second(int wanted, boolean refuses) {
        int permitted = 0;
        for (int i = 0; i < wanted; i++) {
            if (rate.permits()) {
                permitted++;
                if (refuses) {
                    rate.askedForFewer(Duration.ZERO);
                }
            }
            clock.addAndGet(1_000_000_000L / wanted);
        }
        return permitted;
    }

    @Test
    void permitsAllToAServiceThatTakesAll() {
        assertThat(second(1_000, false)).isEqualTo(1_000);
        assertThat(rate.limit()).isInfinite();
    }

    @Test
    void halvesTheRateThatTheServiceRefused() {
        assertThat(second(1_000, false)).isEqualTo(1_000);
        rate.askedForFewer(Duration.ZERO);

        assertThat(rate.limit()).isEqualTo(500);
        assertThat(second(1_000, false)).isCloseTo(500, within(101));
    }

    @Test
    void halvesItOnceASecondHoweverManyAreRefused() {
        assertThat(second(1_000, false)).isEqualTo(1_000);
        rate.askedForFewer(Duration.ZERO);
        rate.askedForFewer(Duration.ZERO);
        rate.askedForFewer(Duration.ZERO);

        assertThat(rate.limit()).isEqualTo(500);
    }

    @Test
    void aServiceThatRefusesAllIsAskedOnceASecond() {
        assertThat(second(1_000, false)).isEqualTo(1_000);
        for (int seconds = 0; seconds < 8; seconds++) {
            assertThat(second(1_000, true)).isLessThan(1_001 >> seconds);
        }
        assertThat(second(1_000, true) + second(1_000, true)).isLessThan(8);

        assertThat(second(1_000, true) + second(1_000, true)).isBetween(1, 3);
    }

    @Test
    void theLimitIsGoneTwentySecondsAfterTheLastRefusal() {
        assertThat(second(1_000, true)).isPositive();
        advance(Duration.ofSeconds(9));
        assertThat(rate.limit()).isFinite();
        advance(Duration.ofSeconds(12));

        assertThat(rate.limit()).isInfinite();
    }

    @Test
    void aSingleRefusalOfAServiceThatIsHardlyUsedLeavesRoom() {
        assertThat(rate.permits()).isTrue();
        rate.askedForFewer(Duration.ZERO);

        assertThat(rate.permits()).isTrue();
        assertThat(rate.limit()).isEqualTo(AdaptiveRate.LEAST_AT_FIRST);
    }

    @Test
    void sendsNothingForAsLongAsTheServiceSays() {
        rate.askedForFewer(Duration.ofSeconds(5));
        advance(Duration.ofMillis(4_999));
        assertThat(rate.permits()).isFalse();
        advance(Duration.ofMillis(1));

        assertThat(rate.permits()).isTrue();
    }

    @Test
    void noServiceCanAskForSilenceForEver() {
        rate.askedForFewer(Duration.ofDays(10_000));
        advance(AdaptiveRate.LONGEST_SILENCE);

        assertThat(rate.permits()).isTrue();
    }

    @Property
    void neverPermitsMoreThanTheLimitAndWhatWasSaved(
            @ForAll @IntRange(min = 2, max = 2_000) int wanted, @ForAll @IntRange(min = 1, max = 8) int refusals) {
        second(wanted, false);
        for (int i = 0; i < refusals; i++) {
            rate.askedForFewer(Duration.ZERO);
            advance(Duration.ofMillis(1));
            // A tenth of a second's worth is saved, and the limit rises by a twentieth of the peak when the second
            // ends.
            double most = 1 + rate.limit() * 1.1 + Math.max(wanted, 2 * AdaptiveRate.LEAST_AT_FIRST) / 20;
            assertThat(second(wanted, false)).isLessThanOrEqualTo((int) Math.ceil(most));
        }
    }
}
