package dev.kvstore.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.report.Spread;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How figures follow from rounds, and when they are good enough. */
class GoalTest {
    private final LimitFindings findings = new LimitFindings();

    private void found(Limit limit, String what, int clients, Quantity quantity, double... rounds) {
        for (double round : rounds) {
            findings.add(limit, what, clients, quantity, round);
        }
    }

    private Goal.GoalVerdict verdict(String key) {
        return Goal.ALL.stream()
                .filter(goal -> goal.key().equals(key))
                .map(goal -> goal.verdict(findings))
                .findFirst()
                .orElseThrow();
    }

    private Spread figure(String key) {
        return Objects.requireNonNull(verdict(key).found());
    }

    @Test
    void aRatioIsOfEachAtItsBestNumberOfClients() {
        found(Limit.WRITE, WriteTrial.WRITE, 1, Quantity.RATE, 0.1, 0.1, 0.1);
        found(Limit.WRITE, WriteTrial.WRITE, 8, Quantity.RATE, 0.3, 0.3, 0.3);
        found(Limit.WRITE, WriteTrial.FILES, 1, Quantity.RATE, 0.5, 0.5, 0.5);
        found(Limit.WRITE, WriteTrial.FILES, 8, Quantity.RATE, 0.4, 0.4, 0.4);

        assertThat(figure("write").median()).isCloseTo(0.6, within(1e-9));
    }

    @Test
    void roundsAreComparedWithThoseOfTheSameTime() {
        // The machine was at half its speed in the second round, which hit both.
        found(Limit.DISK, DiskTrial.READ, 4, Quantity.RATE, 1.6, 0.8, 2.0);
        found(Limit.DISK, DiskTrial.FIO, 4, Quantity.RATE, 2.0, 1.0, 2.0);

        Spread figure = figure("disk");

        assertThat(figure.median()).isCloseTo(0.8, within(1e-9));
        assertThat(figure.min()).isCloseTo(0.8, within(1e-9));
        assertThat(figure.max()).isCloseTo(1, within(1e-9));
    }

    @Test
    void aRoundThatOnlyOneOfTheTwoHasDoesNotCount() {
        found(Limit.DISK, DiskTrial.READ, 4, Quantity.RATE, 1, 5);
        found(Limit.DISK, DiskTrial.FIO, 4, Quantity.RATE, 2);

        assertThat(figure("disk")).isEqualTo(new Spread(0.5, 0.5, 0.5));
    }

    @Test
    void aColdStreamIsHeldAgainstOneColdReadAndItsTransfer() {
        found(Limit.COLD, TierTrials.STREAM, 1, Quantity.P50, 90, 120);
        found(Limit.COLD, TierTrials.COLD_READ, 1, Quantity.P50, 20, 20);
        found(Limit.COLD, TierTrials.TRANSFER, 1, Quantity.P50, 40, 40);

        assertThat(figure("cold")).isEqualTo(new Spread(1.75, 1.5, 2));
    }

    @Test
    void lookupsAreJudgedAtTheirNumbersOfClients() {
        found(Limit.LOOKUP, TierTrials.LOOKUP, 1, Quantity.P50, 0.2);
        found(Limit.LOOKUP, TierTrials.LOOKUP, 8, Quantity.P50, 0.9);
        found(Limit.LOOKUP, TierTrials.LOOKUP, 8, Quantity.P99, 4);

        assertThat(figure("lookup").median()).isEqualTo(0.2);
        assertThat(figure("lookupOfEight").median()).isEqualTo(0.9);
        assertThat(verdict("slowLookupOfEight").reached()).isFalse();
    }

    @Test
    void moreThanTheGoalIsGoodWhereMoreIsBetter() {
        found(Limit.SMALL, TierTrials.SMALL, 8, Quantity.BLOCKS, 200_000);

        assertThat(verdict("small").reached()).isTrue();
        assertThat(verdict("small").missedBy()).isEqualTo(1);
    }

    @Test
    void lessThanTheGoalIsGoodWhereLessIs() {
        found(Limit.START, StartTrial.EMPTY, 0, Quantity.SECONDS, 1.9, 1.7, 5);
        found(Limit.START, StartTrial.BEYOND, StartTrial.CLIENTS, Quantity.MEMORY, 300);

        assertThat(verdict("startEmpty").reached()).isTrue();
        assertThat(verdict("memory").reached()).isFalse();
    }

    @Test
    void whatIsMissedIsMissedByTheFactorThatItHasToBeBetterBy() {
        found(Limit.SMALL, TierTrials.SMALL, 8, Quantity.BLOCKS, 50_000);
        found(Limit.FAR, TierTrials.CLOSED, TierTrials.FAR_CLIENTS, Quantity.P50, 5);

        assertThat(verdict("small").missedBy()).isEqualTo(4);
        assertThat(verdict("far").missedBy()).isEqualTo(2.5);
    }

    @Test
    void whatWasNotMeasuredIsNeitherReachedNorMissed() {
        Goal.GoalVerdict verdict = verdict("write");

        assertThat(verdict.found()).isNull();
        assertThat(verdict.reached()).isNull();
        assertThat(verdict.isMissed()).isFalse();
    }
}
