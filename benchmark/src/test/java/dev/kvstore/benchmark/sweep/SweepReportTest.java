package dev.kvstore.benchmark.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SweepReportTest {
    private static final SweepOptions OPTIONS = new SweepOptions(
            Mix.MIXED,
            Data.HOT,
            16,
            Steps.BLOCK_BYTES,
            64,
            List.of(1, 5),
            List.of(),
            1,
            2,
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ZERO,
            2,
            1,
            Demand.parse("250"));

    @Test
    void holdsIfNothingWasLostAndAllWasMeasured() {
        SweepReport report = report(Faults.FaultCounts.NONE, null);

        assertThat(report.holds()).isTrue();
        assertThat(report.text()).endsWith("No block was lost or wrong.\n").doesNotContain("FAILED");
    }

    @Test
    void aLostBlockFailsTheRun() {
        SweepReport report = report(new Faults.FaultCounts(1, 0, 0, List.of("block 0a is not found")), null);

        assertThat(report.holds()).isFalse();
        assertThat(report.faults().lost()).isEqualTo(1);
        assertThat(report.text()).contains("FAILED: 1 blocks lost, 0 wrong, 0 calls failed:", "block 0a is not found");
    }

    @Test
    void oneThatIsLostBeforeTheFirstStepFailsItToo() {
        SweepResults measured = new SweepResults(OPTIONS);

        measured.warmedUp(round(10, 1, new Faults.FaultCounts(1, 0, 0, List.of("block 0a is not found"))));

        assertThat(measured.report(null).holds()).isFalse();
        assertThat(measured.report(null).steps()).isEmpty();
    }

    @Test
    void anInterruptedRunHasWhatWasMeasuredAndDoesNotHold() {
        SweepReport report = report(Faults.FaultCounts.NONE, "interrupted");

        assertThat(report.holds()).isFalse();
        assertThat(report.steps()).hasSize(4);
        assertThat(report.text()).contains("FAILED: not all was measured: interrupted");
    }

    @Test
    void aRunThatWasInterruptedBeforeItsFirstStepCanBeReportedToo() {
        SweepReport report = new SweepResults(OPTIONS).report("interrupted");

        assertThat(report.text()).contains("interrupted");
        assertThat(report.page("kv bench sweep").sections()).isNotEmpty();
    }

    @Test
    void roundsAreOneStepWithTheirMedianAndTheirEnds() {
        SweepStep step = report(Faults.FaultCounts.NONE, null).steps().getFirst();

        assertThat(step.iterationsPerSecond()).isEqualTo(new Spread(25, 20, 30));
        assertThat(step.read().count()).isEqualTo(6 * 50);
        // 9 blocks an iteration, 25 of them a second.
        assertThat(step.tokensPerSecond()).isEqualTo(25 * 9 * 128);
        assertThat(step.readMegabytesPerSecond()).isEqualTo(150);
        assertThat(step.writtenMegabytesPerSecond()).isEqualTo(75);
        assertThat(step.clientCpus()).isEqualTo(0.5);
    }

    @Test
    void theJsonSaysWhatEachStepIsAndWhatFollows() throws Exception {
        JsonNode json = new ObjectMapper().valueToTree(report(Faults.FaultCounts.NONE, null));

        JsonNode step = json.get("steps").get(2);
        assertThat(step.get("loop").asText()).isEqualTo("closed");
        assertThat(step.get("arrangement").asText()).isEqualTo("dual");
        assertThat(step.get("concurrency").asInt()).isEqualTo(1);
        assertThat(step.get("read").get("p99Millis").asDouble()).isBetween(0.9, 1.1);
        assertThat(step.get("serverCpus").isNull()).isTrue();
        JsonNode series = json.get("series").get(0);
        assertThat(series.get("knee").get("concurrency").asInt()).isEqualTo(5);
        assertThat(series.get("operatingPoints").get(0).get("targetMillis").asInt())
                .isEqualTo(50);
        assertThat(series.get("operatingPoints").get(0).get("servers").asInt()).isEqualTo(3);
    }

    @Test
    void thePageShowsEveryArrangementInItsCharts() {
        ReportPage page = report(Faults.FaultCounts.NONE, null).page("kv bench sweep");

        List<Figure> figures = page.sections().stream()
                .flatMap(section -> section.figures().stream())
                .toList();
        assertThat(figures)
                .extracting(Figure::caption)
                .contains("Throughput", "Read", "p99 of Reads over throughput", "Bandwidth", "Operating points");
        assertThat(((Figure.Lines) figures.getFirst()).lines())
                .extracting(Figure.FigureLine::name)
                .containsExactly("single", "dual");
        assertThat(((Figure.Lines) figures.getFirst()).lines().getFirst().points())
                .contains(new Figure.FigurePoint(1, 25, 20, 30));
        assertThat(page.summary()).contains("single: 100.0 iterations/s at 5 clients");
    }

    @Test
    void thePointsOfTheTradeOffSayWhatLoadTheyAreOf() {
        ReportPage page = report(Faults.FaultCounts.NONE, null).page("kv bench sweep");

        Figure.Lines tradeOff = page.sections().stream()
                .flatMap(section -> section.figures().stream())
                .filter(figure -> figure.caption().equals("p99 of Reads over throughput"))
                .map(Figure.Lines.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(tradeOff.lines().getFirst().points())
                .extracting(Figure.FigurePoint::label)
                .containsExactly("1 client", "5 clients");
    }

    @Test
    void aLoadOfLookupsAloneHasNoChartOfReads() {
        SweepReport report = alone(Mix.LOOKUP, 1, Steps.latencies(100, 1), new Latencies());

        assertThat(report.steps().getFirst().iterationsPerSecond().median()).isEqualTo(100);
        assertThat(report.text()).contains("An iteration is a Lookup of a stored prompt;");
        assertThat(report.page("kv bench sweep").sections())
                .flatExtracting(ReportPage.Section::figures)
                .extracting(Figure::caption)
                .contains("Throughput", "Lookup", "p99 over throughput")
                .doesNotContain("Read", "First block", "Write");
    }

    @Test
    void blocksOfAWrittenStreamAreUnderWayTogether() {
        SweepStep step = alone(Mix.STREAMING_WRITE, 16, new Latencies(), Steps.latencies(1_600, 8))
                .steps()
                .getFirst();

        assertThat(step.iterationsPerSecond().median()).isEqualTo(100);
        assertThat(step.write().count()).isEqualTo(1_600);
        assertThat(Objects.requireNonNull(step.little()).holds()).isTrue();
    }

    /** One client that does one call again and again, 10 ms each, for a second. */
    private static SweepReport alone(Mix mix, int results, Latencies lookups, Latencies writes) {
        SweepResults measured = new SweepResults(new SweepOptions(
                mix,
                Data.HOT,
                16,
                Steps.BLOCK_BYTES,
                64,
                List.of(1),
                List.of(),
                1,
                2,
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ZERO,
                1,
                1,
                null));
        WindowFigures figures = new WindowFigures(
                1,
                results,
                lookups,
                new Latencies(),
                writes,
                Steps.latencies(100, 10),
                new Latencies(),
                0,
                0,
                0,
                0,
                0,
                Faults.FaultCounts.NONE,
                0.5);
        measured.add(PlannedStep.closed(1, 1), new SweepStep.StepRound(figures, null));
        return measured.report(null);
    }

    private static SweepReport report(Faults.FaultCounts faults, @Nullable String end) {
        SweepResults measured = new SweepResults(OPTIONS);
        for (int planes = 1; planes <= 2; planes++) {
            measured.add(PlannedStep.closed(planes, 1), round(20, 1, faults));
            measured.add(PlannedStep.closed(planes, 1), round(30, 1, Faults.FaultCounts.NONE));
            measured.add(PlannedStep.closed(planes, 5), round(100, 3.1, Faults.FaultCounts.NONE));
            faults = Faults.FaultCounts.NONE;
        }
        return measured.report(end);
    }

    private static SweepStep.StepRound round(int iterations, double millis, Faults.FaultCounts faults) {
        return new SweepStep.StepRound(Steps.figures(iterations, millis, 0, faults), null);
    }
}
