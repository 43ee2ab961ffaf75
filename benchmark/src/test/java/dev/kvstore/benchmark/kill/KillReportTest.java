package dev.kvstore.benchmark.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a run has proved that nothing is lost. */
class KillReportTest {
    @Test
    void holdsIfMuchWasAtStakeAndNothingWasLost() {
        KillReport report = report(100, 10, 0, 0, 0, 0, 1);

        assertThat(report.holds()).isTrue();
        assertThat(report.text()).contains("nothing acknowledged was lost.");
    }

    @ParameterizedTest(name = "{0} acknowledged, {1} in flight, {2} lost, {3} torn, {4} damaged, {5} missed, disk {6}")
    @CsvSource({
        "0, 10, 0, 0, 0, 0, 1",
        "100, 0, 0, 0, 0, 0, 1",
        "100, 10, 1, 0, 0, 0, 1",
        "100, 10, 0, 1, 0, 0, 1",
        "100, 10, 0, 0, 1, 0, 1",
        "100, 10, 0, 0, 0, 1, 1",
        "100, 10, 0, 0, 0, 0, 0",
    })
    void failsIfAnythingWasLostOrNothingProved(
            long acked, long inFlight, long lost, long torn, long damaged, long missed, int disk) {
        KillReport report = report(acked, inFlight, lost, torn, damaged, missed, disk);

        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("FAILED");
    }

    @Test
    void thePageSaysThatNothingWasLost() {
        ReportPage page = report(100, 10, 0, 0, 0, 0, 1).page("kv bench kill");

        assertThat(page.summary()).endsWith("in the middle of writes: nothing acknowledged was lost.");
        assertThat(page.sections().getFirst().figures())
                .singleElement()
                .isInstanceOfSatisfying(
                        Figure.Table.class,
                        table -> assertThat(table.rows())
                                .extracting(List::getLast)
                                .containsOnly("0"));
    }

    private static KillReport report(
            long acked, long inFlight, long lost, long torn, long damaged, long missed, int disk) {
        return new KillReport(
                1,
                5,
                acked,
                1_000,
                inFlight,
                lost,
                torn,
                damaged,
                missed,
                disk,
                disk,
                new Latencies().percentiles(),
                acked,
                acked,
                1.5);
    }
}
