package dev.kvstore.benchmark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.replay.ReplayTally.ReplayFlaw;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.trace.Survey;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ReportsTest {
    private static final Survey TRACE = new Survey("trace some.jsonl", 12, 345, 60, 0);
    private static final SimulationReport.HitCapacity SMALL = hits(10, .25, .125, .5);
    private static final SimulationReport.HitCapacity LARGE = hits(100, .3, .2, .6);

    private final ReplayTally tally = new ReplayTally();

    @Test
    void theFiguresOfASingleCapacityStandAtTheTop() {
        JsonNode json = json(simulated(false, SMALL));

        assertThat(json.path("hitRatio").asDouble()).isEqualTo(.25);
        assertThat(json.path("lruHitRatio").asDouble()).isEqualTo(.125);
        assertThat(json.path("clairvoyantHitRatio").asDouble()).isEqualTo(.5);
    }

    @Test
    void thoseOfSeveralStandWithTheirCapacity() {
        JsonNode json = json(simulated(false, LARGE, SMALL));

        assertThat(json.has("hitRatio")).isFalse();
        assertThat(json.path("capacities").path(1).path("capacityBlocks").asInt())
                .isEqualTo(10);
        assertThat(json.path("capacities").path(1).path("hitRatio").asDouble()).isEqualTo(.25);
        assertThat(json.path("capacities").path(1).path("lruHitRatio").asDouble())
                .isEqualTo(.125);
    }

    @Test
    void aSimulationThatWasInterruptedDoesNotHoldAndSaysWhatItHas() {
        SimulationReport report = simulated(true, SMALL);

        assertThat(report.holds()).isFalse();
        assertThat(report.text())
                .contains("trace some.jsonl: 12 requests of 345 blocks", "0.125", "300", "INTERRUPTED");
    }

    @Test
    void thePageDrawsHitRatioAgainstCapacityFromTheSmallest() {
        ReportPage page = simulated(false, LARGE, SMALL).page("kv bench replay");

        Figure.Lines chart = (Figure.Lines) page.sections().getFirst().figures().getFirst();
        assertThat(chart.lines().getFirst().points())
                .containsExactly(Figure.FigurePoint.of(10, .25), Figure.FigurePoint.of(100, .3));
    }

    @ParameterizedTest
    @EnumSource(ReplayFlaw.class)
    void nothingOfThisMayHappenInAReplay(ReplayFlaw flaw) {
        assertThat(tally.figures(1, false).holds()).isTrue();

        tally.flaw(flaw, "block 1234");

        ServiceReport report = served(tally.figures(1, false));
        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("FLAW: " + flaw.word() + ": block 1234", "FAILED: 1 ");
    }

    @Test
    void whatFailsOnceItWasStoppedIsNoFailure() {
        tally.stop();
        tally.flaw(ReplayFlaw.FAILED, "cancelled");
        tally.flaw(ReplayFlaw.WRONG, "block 1234");

        ServiceFigures figures = tally.figures(1, true);
        assertThat(figures.failed()).isZero();
        assertThat(figures.wrong()).isEqualTo(1);
        assertThat(figures.interrupted()).isTrue();
        assertThat(figures.holds()).isFalse();
    }

    @Test
    void onlyTheFirstFewFlawsOfAKindAreNamed() {
        IntStream.range(0, 100).forEach(i -> tally.flaw(ReplayFlaw.LOST, "block " + i));

        assertThat(tally.figures(1, false).flaws()).hasSize(5);
        assertThat(tally.figures(1, false).lost()).isEqualTo(100);
    }

    @Test
    void whatIsFoundIsPartedByWhereItLay() {
        tally.blocks.add(100);
        tally.cachedBlocks.add(60);
        tally.readBlocks.add(60);
        IntStream.range(0, 4).forEach(_ -> tally.lookup.add(1));
        TierFigures before = new TierFigures(0, 0, 0, 5, 7, 0, 0, 1, Map.of("get", 3.0));
        TierFigures after =
                new TierFigures(0, 0, 0, 35, 17, 20_480_000, 0, 7, Map.of("get", 23.0, "put_if_absent", 40.0));

        TierFigures tiers = before.until(after, tally.figures(1, false));

        assertThat(tiers.memoryHitRatio()).isEqualTo(.3);
        assertThat(tiers.diskHitRatio()).isEqualTo(.1);
        assertThat(tiers.storageHitRatio()).isEqualTo(.2);
        assertThat(tiers.storageCallsPerLookup()).isEqualTo(1.5);
        assertThat(tiers.storageCallsPerBlockRead()).isEqualTo(20 / 60.0);
        assertThat(served(tally.figures(1, false), tiers).text())
                .containsPattern("from memory \\(of all\\) +0.3\n +room in memory \\(blocks\\) +1,000\n");
    }

    private static SimulationReport.HitCapacity hits(int blocks, double own, double lru, double clairvoyant) {
        return new SimulationReport.HitCapacity(
                blocks,
                List.of(
                        new SimulationReport.PolicyFigures("HitDensity", own, 1_500),
                        new SimulationReport.PolicyFigures("LRU", lru, 300)),
                clairvoyant);
    }

    private static SimulationReport simulated(boolean interrupted, SimulationReport.HitCapacity... capacities) {
        return new SimulationReport(TRACE, "HitDensity", 200, .6, List.of(capacities), interrupted);
    }

    private static ServiceReport served(ServiceFigures figures) {
        return new ServiceReport(TRACE, "the service at nowhere", 16_384, 10, 64, figures, null);
    }

    private static ServiceReport served(ServiceFigures figures, TierFigures tiers) {
        return new ServiceReport(TRACE, "a data plane of its own", 16_384, 10, 64, figures, tiers);
    }

    private static JsonNode json(Object report) {
        return new ObjectMapper().valueToTree(report);
    }
}
