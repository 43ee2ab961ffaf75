package dev.kvstore.benchmark.sweep.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.Spread;
import dev.kvstore.benchmark.sweep.step.FaultCounts;
import dev.kvstore.benchmark.sweep.step.Mix;
import dev.kvstore.benchmark.sweep.step.PlannedStep;
import dev.kvstore.benchmark.sweep.step.Steps;
import dev.kvstore.benchmark.sweep.step.SweepFlags;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import dev.kvstore.benchmark.sweep.step.WindowFigures;
import dev.kvstore.benchmark.sweep.step.WindowFigures.Timed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SweepReportTest {
    @Test
    void holdsIfNothingWasLostAndAllWasMeasured() {
        SweepReport report = report(FaultCounts.NONE, null);

        assertThat(report.holds()).isTrue();
        assertThat(report.text())
                .containsIgnoringWhitespaces("No block was lost or wrong.")
                .doesNotContain("FAILED");
    }

    @Test
    void aLostBlockFailsTheRun() {
        SweepReport report = report(new FaultCounts(1, 0, 0, List.of("block 0a is not found")), null);

        assertThat(report.holds()).isFalse();
        assertThat(report.faults().lost()).isEqualTo(1);
        assertThat(report.text())
                .contains("FAILED: 1 blocks lost, 0 wrong, 0 calls failed: block 0a is not found")
                .doesNotContain("wrong. ", "was lost");
    }

    @Test
    void oneThatIsLostBeforeTheFirstStepFailsItToo() {
        FaultCounts lost = FaultCounts.lost("block 0a is not found");

        assertThat(SweepReport.of(Steps.flags(), "a service", List.of(), lost, null)
                        .holds())
                .isFalse();
    }

    @Test
    void anInterruptedRunHasWhatWasMeasuredAndDoesNotHold() {
        SweepReport report = report(FaultCounts.NONE, "interrupted");

        assertThat(report.holds()).isFalse();
        assertThat(report.steps()).hasSize(4);
        assertThat(report.text()).contains("FAILED: not all was measured: interrupted");
    }

    @Test
    void aRunThatWasInterruptedBeforeItsFirstStepCanBeReportedToo() {
        SweepReport report = SweepReport.of(Steps.flags(), "a service", List.of(), FaultCounts.NONE, "interrupted");

        assertThat(report.text()).contains("interrupted");
        assertThat(report.page("kv bench sweep").sections()).isNotEmpty();
    }

    @Test
    void roundsAreOneStepWithTheirMedianAndTheirEnds() {
        SweepStep step = report(FaultCounts.NONE, null).steps().getFirst();

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
        JsonNode json = new ObjectMapper().valueToTree(report(FaultCounts.NONE, null));

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
        ReportPage page = report(FaultCounts.NONE, null).page("kv bench sweep");

        List<Figure> figures = page.sections().stream()
                .flatMap(section -> section.figures().stream())
                .toList();
        assertThat(figures)
                .extracting(Figure::caption)
                .contains(
                        "Throughput",
                        "Tokens",
                        "Read",
                        "p99 of Reads over throughput",
                        "Bandwidth of clients",
                        "Peaks",
                        "Profiles",
                        "Operating points");
        assertThat(((Figure.Lines) figures.getFirst()).lines())
                .extracting(Figure.FigureLine::name)
                .containsExactly("single", "dual");
        assertThat(((Figure.Lines) figures.getFirst()).lines().getFirst().points())
                .contains(new Figure.FigurePoint(1, 25, 20, 30));
        assertThat(page.summary()).contains("single: 100.0 iterations/s at 5 clients");
    }

    @Test
    void thePointsOfTheTradeOffSayWhatLoadTheyAreOf() {
        assertThat(figure(report(FaultCounts.NONE, null), "p99 of Reads over throughput", Figure.Lines.class)
                        .lines()
                        .getFirst()
                        .points())
                .extracting(Figure.FigurePoint::label)
                .containsExactly("1 client", "5 clients");
    }

    @Test
    void aTerminalShowsEveryStepInThreeTablesOf120Columns() {
        String text = report(FaultCounts.NONE, null).text();

        assertThat(text.lines()).allMatch(line -> line.length() <= 120);
        assertThat(text.lines().filter(line -> line.matches(" *closed +dual +5 .*")))
                .hasSize(3);
    }

    @Test
    void latenciesAreDrawnWithTheirP90() {
        assertThat(figure(report(FaultCounts.NONE, null), "Read", Figure.Lines.class)
                        .lines())
                .extracting(Figure.FigureLine::name)
                .containsExactly("single p50", "dual p50", "single p90", "dual p90", "single p99", "dual p99");
    }

    @Test
    void tokensAreThoseReadAndThoseWritten() {
        SweepReport report = report(FaultCounts.NONE, null);

        assertThat(report.steps().getFirst().readTokensPerSecond()).isEqualTo(25 * 6 * 128);
        assertThat(report.steps().getFirst().writtenTokensPerSecond()).isEqualTo(25 * 3 * 128);
        assertThat(report.series().getFirst().peak().tokensPerSecond()).isEqualTo(100 * 9 * 128);
        assertThat(figure(report, "Tokens", Figure.Lines.class)
                        .lines()
                        .getFirst()
                        .points())
                .contains(Figure.FigurePoint.of(5, 100 * 9 * 128));
        assertThat(report.page("").summary()).contains("at 5 clients, 115,200 tokens/s");
    }

    @Test
    void withoutTheDataPlanesCountersTheirSideIsUnknownAndNotGuessed() {
        SweepReport report = report(FaultCounts.NONE, null);

        SweepStep step = report.steps().getFirst();
        assertThat(step.gigabitsPerSecond().toClients()).isEqualTo(25 * 6 * 0.008);
        assertThat(step.gigabitsPerSecond().toStorage()).isNull();
        assertThat(step.hops()).isEmpty();
        assertThat(report.text()).contains("?/?", "no data plane showed kvstore_call_duration_seconds");
    }

    @Test
    void aCardIsDrawnAndItsLimitStandsBesideThePeak() {
        SweepReport report = counted();

        assertThat(figure(report, "Server bandwidth", Figure.Lines.class).lines())
                .extracting(Figure.FigureLine::name)
                .containsExactly("single in", "single out", "card");
        // 100 iterations take 7.2 of 8 Gbit/s.
        SweepSeries.CardLimit limit =
                Objects.requireNonNull(report.series().getFirst().cardLimit());
        assertThat(limit.iterationsPerSecond()).isCloseTo(111.1, within(0.1));
        assertThat(limit.tokensPerSecond()).isCloseTo(128_000, within(1.0));
        assertThat(report.text()).contains("90.0 % near the limit", "128,000");
        assertThat(report.text().lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void theTimeOfEachCallIsShownByHops() {
        SweepReport report = counted();

        // Of 10 ms a Read is 4 ms in the data plane, and 1 of these in storage.
        assertThat(report.text()).contains("6.00 + 3.00 + 1.00 = 10.00");
        assertThat(figure(report, "Mean of a Read", Figure.Lines.class).lines())
                .extracting(Figure.FigureLine::name)
                .containsExactly("single storage", "single server", "single wire and client");
    }

    @Test
    void aLoadOfLookupsAloneHasNoChartOfReads() {
        SweepReport report = alone(Mix.LOOKUP, Map.of(Timed.LOOKUP, Steps.latencies(100, 1)));

        assertThat(report.steps().getFirst().iterationsPerSecond().median()).isEqualTo(100);
        assertThat(report.text()).contains("each client does a Lookup of a stored prompt,");
        assertThat(report.page("kv bench sweep").sections())
                .flatExtracting(ReportPage.Section::figures)
                .extracting(Figure::caption)
                .contains("Throughput", "Lookup", "p99 over throughput")
                .doesNotContain("Read", "First block", "Write");
    }

    @Test
    void blocksOfAWrittenStreamAreUnderWayTogether() {
        SweepStep step = alone(
                        Mix.STREAMING_WRITE,
                        Map.of(Timed.WRITE, Steps.latencies(1_600, 8), Timed.ITERATION, Steps.latencies(100, 10)))
                .steps()
                .getFirst();

        assertThat(step.iterationsPerSecond().median()).isEqualTo(100);
        assertThat(step.write().count()).isEqualTo(1_600);
        assertThat(Objects.requireNonNull(step.little()).holds()).isTrue();
    }

    private static <F extends Figure> F figure(SweepReport report, String caption, Class<F> kind) {
        return report.page("kv bench sweep").sections().stream()
                .flatMap(section -> section.figures().stream())
                .filter(figure -> figure.caption().equals(caption))
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    /** 16 clients of one data plane that shows its counters, behind a card of 8 Gbit/s. */
    private static SweepReport counted() {
        SweepFlags flags = Steps.flags();
        flags.nicGbit = 8.0;
        SweepStep step =
                Steps.counted(PlannedStep.closed(1, 16), flags, Steps.figures(100, 10, 0, FaultCounts.NONE), """
                kvstore_storage_bytes_total{direction="read"} 6e8
                kvstore_storage_bytes_total{direction="written"} 3e8
                kvstore_call_duration_seconds_count{method="read"} 600
                kvstore_call_duration_seconds_sum{method="read"} 2.4
                kvstore_storage_call_duration_seconds_sum{operation="get"} 0.6
                """);
        return SweepReport.of(flags, "a service", List.of(step), FaultCounts.NONE, null);
    }

    /** One client that does one call again and again for a second. */
    private static SweepReport alone(Mix mix, Map<Timed, Latencies> latencies) {
        SweepFlags flags = Steps.flags();
        flags.mix = mix;
        WindowFigures figures = new WindowFigures(1, latencies, Map.of(), FaultCounts.NONE);
        SweepStep step = SweepStep.of(PlannedStep.closed(1, 1), flags, List.of(Steps.round(figures)));
        return SweepReport.of(flags, "a service", List.of(step), FaultCounts.NONE, null);
    }

    private static SweepReport report(FaultCounts faults, @Nullable String end) {
        SweepFlags flags = Steps.flags();
        flags.target = "250";
        List<SweepStep> steps = new ArrayList<>();
        for (int planes = 1; planes <= 2; planes++) {
            steps.add(Steps.step(
                    PlannedStep.closed(planes, 1),
                    Steps.figures(20, 1, 0, planes == 1 ? faults : FaultCounts.NONE),
                    Steps.figures(30, 1, 0, FaultCounts.NONE)));
            steps.add(Steps.step(PlannedStep.closed(planes, 5), Steps.figures(100, 3.1, 0, FaultCounts.NONE)));
        }
        return SweepReport.of(flags, "a service", steps, FaultCounts.NONE, end);
    }
}
