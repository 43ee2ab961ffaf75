package dev.kvstore.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a run has proved that nothing is denied, held, or left alone. */
class SoakReportTest {
    private static final SoakReport.SoakBlocks BLOCKS = new SoakReport.SoakBlocks(100, 1_000, 50, 0, 0);
    private static final SoakReport.Calls CALLS = new SoakReport.Calls(0, 3, 20, 30);
    private static final SoakReport.Ejections EJECTIONS = new SoakReport.Ejections(1, 0, 2_500);

    @Test
    void holdsIfMuchWasTriedAndNothingWentWrong() {
        SoakReport report = report(BLOCKS, CALLS, EJECTIONS, 40, 0, 0, rest(0, 0));

        assertThat(report.holds()).isTrue();
        assertThat(report.text()).containsPattern("nobody\\swas\\sleft\\salone\\swithout\\scause\\.");
    }

    @ParameterizedTest(name = "{0} acknowledged, {1} read, {2} lookups, {3} denied, {4} wrong")
    @CsvSource({"0, 1, 1, 0, 0", "1, 0, 1, 0, 0", "1, 1, 0, 0, 0", "1, 1, 1, 1, 0", "1, 1, 1, 0, 1"})
    void failsForBlocks(long acknowledged, long read, long lookups, long denied, long wrong) {
        fails(report(
                new SoakReport.SoakBlocks(acknowledged, read, lookups, denied, wrong),
                CALLS,
                EJECTIONS,
                40,
                0,
                0,
                rest(0, 0)));
    }

    @ParameterizedTest(name = "{0} failed, {1} cancelled, {2} overdue")
    @CsvSource({"1, 1, 1", "0, 0, 1", "0, 1, 0"})
    void failsForCalls(long failed, long cancelled, long overdue) {
        fails(report(BLOCKS, new SoakReport.Calls(failed, 0, cancelled, overdue), EJECTIONS, 40, 0, 0, rest(0, 0)));
    }

    @ParameterizedTest(name = "{0} ejected without cause, {1} left memory, {2} leaked, {3} damaged, held {4} and {5}")
    @CsvSource({
        "1, 40, 0, 0, 0, 0",
        "0, 0, 0, 0, 0, 0",
        "0, 40, 1, 0, 0, 0",
        "0, 40, 0, 1, 0, 0",
        "0, 40, 0, 0, 1, 0",
        "0, 40, 0, 0, 0, 1",
    })
    void failsForWhatIsLeft(long withoutCause, long evicted, long leaked, long damaged, long byClients, long byServer) {
        fails(report(
                BLOCKS,
                CALLS,
                new SoakReport.Ejections(1, withoutCause, 10),
                evicted,
                leaked,
                damaged,
                rest(byClients, byServer)));
    }

    @Test
    void saysWhoHoldsWhatAfterWhichRound() {
        SoakReport report = report(BLOCKS, CALLS, EJECTIONS, 40, 0, 0, rest(7, 4_096));

        assertThat(report.text())
                .containsPattern("3 +data-plane-1 +7 +0 +0 +4,096 +1 +50\n")
                .contains("something was denied\n")
                .contains("FAILED: rounds after which something was held: 1\n");
    }

    @Test
    void thePageHasNothingButZeroesWhereItMust() {
        ReportPage page = report(BLOCKS, CALLS, EJECTIONS, 40, 0, 0, rest(0, 0)).page("kv bench soak");

        assertThat(page.sections().getFirst().figures())
                .singleElement()
                .isInstanceOfSatisfying(
                        Figure.Table.class,
                        table -> assertThat(table.rows())
                                .extracting(List::getLast)
                                .containsOnly("0"));
    }

    private static void fails(SoakReport report) {
        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("FAILED");
    }

    private static Rest rest(long byClients, long transferBytes) {
        return new Rest(3, byClients, List.of(new Rest.RestServer("data-plane-1", 0, 0, transferBytes, 50, 1_000_000)));
    }

    private static SoakReport report(
            SoakReport.SoakBlocks blocks,
            SoakReport.Calls calls,
            SoakReport.Ejections ejections,
            long evicted,
            long leaked,
            long damaged,
            Rest rest) {
        return new SoakReport(
                3_600,
                Map.of("reads", 500L),
                blocks,
                calls,
                ejections,
                new SoakReport.SoakEvictions(evicted, 0, 400),
                leaked,
                damaged,
                List.of(rest),
                List.of("something was denied"));
    }
}
