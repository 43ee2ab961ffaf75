package dev.kvstore.dataplane.tier.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

final class ReturnTimesTest {
    private static final int KIND = ReturnTimes.turn(2, 5);

    private final ReturnTimes times = new ReturnTimes();

    @Property
    void olderIsNeverAYoungerClass(@ForAll @LongRange(min = 0) long one, @ForAll @LongRange(min = 0) long other) {
        assertThat(ReturnTimes.age(Math.max(one, other))).isGreaterThanOrEqualTo(ReturnTimes.age(Math.min(one, other)));
    }

    @Example
    void atFirstWhatWasUsedLongerAgoIsWorthLess() {
        assertThat(LongStream.of(0, 10, 100, 1_000, 10_000)
                        .mapToObj(this::worthAfter)
                        .toList())
                .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    @Example
    void whatComesBackAfterAMinuteIsWorthMostWhenThatIsNear() {
        learn(1_000, 60, 1_000);

        assertThat(worthAfter(45)).isGreaterThan(1.5 * worthAfter(0)).isGreaterThan(1.5 * worthAfter(200));
    }

    @Example
    void whatSeldomComesBackIsWorthLessThanWhatOftenDoes() {
        ReturnTimes seldom = new ReturnTimes();
        learn(1_000, 60, 800);
        learn(seldom, 1_000, 60, 100);

        assertThat(worthAfter(0)).isGreaterThan(3 * seldom.worth(KIND, 0));
    }

    @Example
    void aKindThatWasNeverSeenIsLikeItsNeighbours() {
        learn(1_000, 60, 0);

        assertThat(times.worth(ReturnTimes.turn(2, 10), 0))
                .isLessThan(new ReturnTimes().worth(ReturnTimes.turn(2, 10), 0));
    }

    private double worthAfter(long seconds) {
        return times.worth(KIND, Duration.ofSeconds(seconds).toNanos());
    }

    private void learn(int blocks, long seconds, int returned) {
        learn(times, blocks, seconds, returned);
    }

    /** A number of these blocks came back after some seconds, the others not within a day. */
    private static void learn(ReturnTimes times, int blocks, long seconds, int returned) {
        for (int block = 0; block < blocks; block++) {
            if (block < returned) {
                times.returned(KIND, Duration.ofSeconds(seconds).toNanos(), times.lessons());
            } else {
                times.givenUp(KIND, Duration.ofDays(1).toNanos(), times.lessons());
            }
        }
        times.learn();
    }
}
