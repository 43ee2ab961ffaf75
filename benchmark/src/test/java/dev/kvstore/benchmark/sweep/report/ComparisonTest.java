package dev.kvstore.benchmark.sweep.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.report.Spread;
import dev.kvstore.benchmark.sweep.step.FaultCounts;
import dev.kvstore.benchmark.sweep.step.PlannedStep;
import dev.kvstore.benchmark.sweep.step.Steps;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final List<SweepStep> STEPS = List.of(
            Steps.closed(1, 5, 80, 4),
            Steps.closed(2, 5, 100, 3),
            Steps.closed(1, 20, 60, 20),
            Steps.closed(2, 20, 120, 10),
            Steps.open(50, 50, 1));

    @Test
    void bothAreComparedWithAsManyClients() {
        Comparison few = Comparison.of(STEPS).getFirst();

        assertThat(few.concurrency()).isEqualTo(5);
        assertThat(few.throughputPercent().median()).isCloseTo(25, within(1e-9));
        assertThat(few.latencyPercent()).isCloseTo(25, within(0.1));
    }

    @Test
    void thePeaksAreComparedWhereverTheyAre() {
        Comparison peaks = Comparison.of(STEPS).getLast();

        assertThat(peaks.concurrency()).isNull();
        assertThat(peaks.single().concurrency()).isEqualTo(5);
        assertThat(peaks.dual().concurrency()).isEqualTo(20);
        assertThat(peaks.throughputPercent().median()).isCloseTo(50, within(1e-9));
    }

    @Test
    void throughputIsComparedRoundByRound() {
        SweepStep single = Steps.step(
                PlannedStep.closed(1, 5),
                Steps.figures(100, 4, 0, FaultCounts.NONE),
                Steps.figures(50, 4, 0, FaultCounts.NONE));
        SweepStep dual = Steps.step(
                PlannedStep.closed(2, 5),
                Steps.figures(150, 4, 0, FaultCounts.NONE),
                Steps.figures(100, 4, 0, FaultCounts.NONE));

        assertThat(Comparison.of(List.of(single, dual)).getFirst().throughputPercent())
                .isEqualTo(new Spread(75, 50, 100));
    }

    @Test
    void oneDataPlaneAloneIsComparedWithNothing() {
        assertThat(Comparison.of(STEPS.subList(0, 1))).isEmpty();
    }
}
