package dev.kvstore.clusters.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.fleet.ReportBounds;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Figures of data planes that cannot be true, and what is used instead. */
class CorrectionsTest {
    private final Corrections corrections = new Corrections();

    @Test
    void aFigureWithinItsBoundsStaysAndIsNotMentioned() {
        assertThat(corrections.upTo("a", 0L, 10, 5)).isZero();
        assertThat(corrections.upTo("a", 10L, 10, 5)).isEqualTo(10);
        assertThat(corrections.upTo("b", 10, 10, 5)).isEqualTo(10);
        assertThat(corrections.oneTo("c", 1, 10, 5)).isEqualTo(1);
        assertThat(corrections.within("d", 1.0, 1)).isEqualTo(1);
        assertThat(corrections.within("e", Duration.ZERO, ReportBounds.LATENCY)).isEqualTo(Duration.ZERO);
        assertThat(corrections.within("e", ReportBounds.LATENCY, ReportBounds.LATENCY))
                .isEqualTo(ReportBounds.LATENCY);

        assertThat(corrections.reasons()).isEmpty();
    }

    @Test
    void aCapacityBeyondItsBoundIsTakenForTheUsualOne() {
        assertThat(corrections.upTo("bytes", 11L, 10, 5)).isEqualTo(5);
        assertThat(corrections.upTo("bytes", -1L, 10, 5)).isEqualTo(5);
        assertThat(corrections.upTo("operations", -1, 10, 5)).isEqualTo(5);
        assertThat(corrections.oneTo("cpus", 0, 10, 5)).isEqualTo(5);
        assertThat(corrections.oneTo("cpus", 11, 10, 5)).isEqualTo(5);

        assertThat(corrections.reasons())
                .containsExactly(
                        "bytes: 11 is more than 10; taken for 5",
                        "bytes: 18446744073709551615 is more than 10; taken for 5",
                        "operations: 4294967295 is more than 10; taken for 5",
                        "cpus: 0 is less than 1; taken for 5",
                        "cpus: 11 is more than 10; taken for 5");
    }

    @Test
    void aLoadBeyondItsBoundIsTakenForTheBoundAndNoNumberForNone() {
        assertThat(corrections.within("cpu", 1.5, 1)).isEqualTo(1);
        assertThat(corrections.within("cpu", -0.5, 1)).isZero();
        assertThat(corrections.within("cpu", Double.NaN, 1)).isZero();
        assertThat(corrections.within("cpu", Double.POSITIVE_INFINITY, 1)).isEqualTo(1);
        assertThat(corrections.within("cpu", Double.NEGATIVE_INFINITY, 1)).isZero();

        assertThat(corrections.reasons())
                .containsExactly(
                        "cpu: 1.5 is more than 1.0; taken for 1.0",
                        "cpu: -0.5 is less than 0; taken for 0.0",
                        "cpu: NaN is no number; taken for 0.0",
                        "cpu: Infinity is more than 1.0; taken for 1.0",
                        "cpu: -Infinity is less than 0; taken for 0.0");
    }

    @Test
    void aLatencyThatCannotBeIsTakenForNone() {
        assertThat(corrections.within("p99", Duration.ofNanos(-1), Duration.ofHours(1)))
                .isNull();
        assertThat(corrections.within("p99", Duration.ofMinutes(61), Duration.ofHours(1)))
                .isNull();

        assertThat(corrections.reasons())
                .containsExactly(
                        "p99: PT-0.000000001S is less than 0; taken for none",
                        "p99: PT1H1M is more than PT1H; taken for none");
    }

    @Property(tries = 300)
    void aFigureIsWithinItsBoundsAfterwardsWhateverWasSaid(
            @ForAll long said, @ForAll @LongRange(min = 1, max = 1L << 50) long bound) {
        Corrections fresh = new Corrections();

        long used = fresh.upTo("figure", said, bound, 1);

        assertThat(used).isBetween(0L, bound);
        assertThat(fresh.reasons().isEmpty()).isEqualTo(used == said);
    }

    @Property(tries = 300)
    void aShareIsWithinItsBoundsAfterwardsWhateverWasSaid(@ForAll double said) {
        assertThat(new Corrections().within("share", said, 1)).isBetween(0.0, 1.0);
    }
}
