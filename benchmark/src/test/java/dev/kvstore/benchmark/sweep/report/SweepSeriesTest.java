package dev.kvstore.benchmark.sweep.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.report.Spread;
import dev.kvstore.benchmark.sweep.step.FaultCounts;
import dev.kvstore.benchmark.sweep.step.LoadRate;
import dev.kvstore.benchmark.sweep.step.PlannedStep;
import dev.kvstore.benchmark.sweep.step.Steps;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import dev.kvstore.benchmark.sweep.step.WindowFigures;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The figures that follow from a sweep. Clients that only wait take clients / iterations / 16 seconds an operation. */
class SweepSeriesTest {
    private static final List<SweepStep> SWEEP = List.of(
            Steps.closed(1, 1, 20, 3.125),
            Steps.closed(1, 5, 80, 3.906),
            Steps.closed(1, 10, 98, 6.378),
            Steps.closed(1, 20, 100, 12.5),
            Steps.closed(1, 100, 96, 65.1),
            Steps.closed(1, 200, 90, 138.9),
            Steps.closed(2, 1, 500, 0.125));

    @Test
    void thePeakIsWhereThroughputIsHighest() {
        assertThat(series(SWEEP).peak().concurrency()).isEqualTo(20);
        assertThat(series(SWEEP).peak().iterationsPerSecond()).isEqualTo(100);
    }

    @Test
    void saturationIsTheLeastConcurrencyWithin5PercentOfIt() {
        assertThat(series(SWEEP).saturation().concurrency()).isEqualTo(10);
    }

    @Test
    void theKneeIsWhereThroughputOverLatencyIsHighest() {
        // 20 / 3.1, 80 / 3.9, 98 / 6.4, 100 / 12.5 ...
        assertThat(series(SWEEP).knee().concurrency()).isEqualTo(5);
    }

    @Test
    void theMostClientsAreComparedWithThePeakRoundByRound() {
        SweepStep peak = rounds(20, 100, 50, 60);
        SweepStep most = rounds(200, 90, 49, 60);

        SweepSeries.Crowd crowd = series(List.of(most, peak)).crowd();

        assertThat(crowd.concurrency()).isEqualTo(200);
        // By medians alone it would be 1.
        assertThat(crowd.ofPeak()).isEqualTo(new Spread(0.98, 0.9, 1));
    }

    @Test
    void anInterruptedRoundIsNotCompared() {
        assertThat(series(List.of(rounds(200, 90), rounds(20, 100, 200)))
                        .crowd()
                        .ofPeak())
                .isEqualTo(new Spread(0.9, 0.9, 0.9));
    }

    @Test
    void anOperatingPointIsTheMostThroughputBelowItsLatency() {
        assertThat(series(SWEEP).operatingPoints())
                .extracting(OperatingPoint::targetMillis, OperatingPoint::concurrency)
                .startsWith(tuple(50, 20), tuple(100, 20), tuple(500, 20), tuple(1_000, 20));
        assertThat(series(List.of(Steps.closed(1, 100, 96, 65.1))).operatingPoints())
                .extracting(OperatingPoint::targetMillis, OperatingPoint::concurrency)
                .startsWith(tuple(50, null), tuple(100, 100), tuple(500, 100), tuple(1_000, 100));
    }

    @Test
    void aMedianMayBeBoundedToo() {
        List<SweepStep> steps = List.of(Steps.closed(1, 20, 90, 26), Steps.closed(1, 40, 100, 44));

        assertThat(series(steps).operatingPoints())
                .filteredOn(point -> "p50".equals(point.percentile()))
                .extracting(OperatingPoint::targetMillis, OperatingPoint::concurrency)
                .containsExactly(tuple(25, null), tuple(30, 20), tuple(45, 40), tuple(60, 40));
    }

    @Test
    void aProfileIsAStepForAUse() {
        List<SweepStep> steps = List.of(
                Steps.closed(1, 1, 20, 3.0),
                Steps.closed(1, 2, 40, 3.2),
                Steps.closed(1, 5, 80, 3.9),
                Steps.closed(1, 10, 98, 6.4),
                Steps.closed(1, 20, 100, 12.5));

        assertThat(series(steps).profiles())
                .extracting(OperatingPoint::wanted, OperatingPoint::concurrency)
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("lowest latency", 2.0),
                        org.assertj.core.api.Assertions.tuple("balanced", 5.0),
                        org.assertj.core.api.Assertions.tuple("highest throughput", 10.0));
    }

    @Test
    void aStepThatTurnedCallsAwayIsNoProfile() {
        SweepStep refusing = Steps.step(PlannedStep.closed(1, 20), Steps.figures(100, 1, 1, FaultCounts.NONE));

        assertThat(series(List.of(refusing)).profiles())
                .extracting(OperatingPoint::loop)
                .containsOnlyNulls();
    }

    @Test
    void aStepThatTurnedCallsAwayOrLostBlocksIsNoOperatingPoint() {
        SweepStep refusing = Steps.step(PlannedStep.closed(1, 20), Steps.figures(100, 1, 1, FaultCounts.NONE));
        SweepStep losing = Steps.step(
                PlannedStep.closed(1, 50),
                Steps.figures(200, 1, 0, new FaultCounts(1, 0, 0, List.of("block is not found"))));

        assertThat(series(List.of(refusing, losing, Steps.closed(1, 1, 20, 3)))
                        .operatingPoints()
                        .getFirst()
                        .concurrency())
                .isEqualTo(1);
    }

    @Test
    void anOpenLoopThatDidNotKeepUpIsNone() {
        SweepStep behind = Steps.open(200, 150, 1);
        SweepStep steady = Steps.open(150, 149, 1);

        assertThat(series(List.of(Steps.closed(1, 1, 20, 3), behind, steady))
                        .operatingPoints()
                        .getFirst()
                        .iterationsPerSecond())
                .isEqualTo(149);
    }

    @Test
    void serversAreAsManyAsTogetherDoWhatIsWanted() {
        assertThat(servers("250")).isEqualTo(3);
        assertThat(servers("100")).isEqualTo(1);
        // 900 MB/s each.
        assertThat(servers("10GB/s")).isEqualTo(12);
        // 115,200 tokens/s each.
        assertThat(servers("10Mtok/s")).isEqualTo(87);
        assertThat(servers("500ktok/s")).isEqualTo(5);
    }

    @Test
    void nothingFollowsFromStepsThatDidNothing() {
        assertThat(SweepSeries.of("single", List.of(Steps.closed(1, 5, 0, 1)), null))
                .isEmpty();
    }

    @Test
    void clientsThatDoNothingButWaitKeepLittlesLaw() {
        SweepStep.Little little = SWEEP.getFirst().little();

        assertThat(little).isNotNull();
        assertThat(little.underWay()).isEqualTo(1, within(0.01));
        assertThat(little.holds()).isTrue();
    }

    @Test
    void clientsThatAreBusyWithThemselvesBreakIt() {
        // One in ten seconds is no call's.
        SweepStep.Little little = Steps.closed(1, 10, 98, 5.74).little();

        assertThat(little).isNotNull();
        assertThat(little.deviationPercent()).isEqualTo(-10, within(0.2));
        assertThat(little.holds()).isFalse();
    }

    private static SweepStep rounds(int clients, int... iterations) {
        return Steps.step(
                PlannedStep.closed(1, clients),
                Arrays.stream(iterations)
                        .mapToObj(count -> Steps.figures(count, 10, 0, FaultCounts.NONE))
                        .toArray(WindowFigures[]::new));
    }

    private static @Nullable Long servers(String target) {
        return SweepSeries.of("single", SWEEP, LoadRate.target(target))
                .orElseThrow()
                .operatingPoints()
                .getFirst()
                .servers();
    }

    private static SweepSeries series(List<SweepStep> steps) {
        return SweepSeries.of("single", steps, null).orElseThrow();
    }

    private static org.assertj.core.groups.Tuple tuple(double target, @Nullable Integer clients) {
        return org.assertj.core.api.Assertions.tuple(target, clients == null ? null : (double) clients);
    }
}
