package dev.kvstore.benchmark.mainjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@link MainJobPage}. */
class MainJobPageTest {
    private static final Latencies.Percentiles NONE = new Latencies.Percentiles(0, 0, 0, 0, 0);

    @Test
    void ratesAreBarsWithTheRangeOfTheirRounds() {
        ReportPage page = page(series("lookup", 1, 1, 4, 2));

        assertThat(page.sections().getFirst().figures())
                .containsExactly(new Figure.Bars(
                        "Rate in ops/s", "ops/s", List.of(new Figure.Bar("lookup", "1 client", 100, 50, 200))));
    }

    @Test
    void latencyIsALineOfEachOperationOverItsClients() {
        ReportPage page = page(series("lookup", 1, 1), series("lookup", 8, 2), series("read", 1, 1));

        Figure.Lines p99 = (Figure.Lines) page.sections().get(1).figures().get(1);
        assertThat(p99.lines())
                .containsExactly(
                        new Figure.FigureLine(
                                "lookup", List.of(Figure.FigurePoint.of(1, 20), Figure.FigurePoint.of(8, 40))),
                        new Figure.FigureLine("read", List.of(Figure.FigurePoint.of(1, 20))));
    }

    @Test
    void theTableHasEverySeries() {
        ReportPage page = page(series("lookup", 1, 1), series("lookup", 8, 2));

        Figure.Table table = (Figure.Table) page.sections().get(2).figures().getFirst();
        assertThat(table.rows()).hasSize(2);
        assertThat(table.rows().getLast())
                .containsExactly("lookup", "8", "100", "ops/s", "0.5", "1", "40", "", "1.5", "5", "10", "ops");
    }

    private static ReportPage page(OperationSeries... series) {
        return new MainJobReport(
                        "Linux",
                        2,
                        "25",
                        1_200_000,
                        2,
                        5,
                        8,
                        List.of(new MainJobReport.ServerFigures("filesystem", 900, 1, 2, 3)),
                        List.of(series))
                .page("kv bench main-job");
    }

    /** A round for each number of seconds, that slow too. */
    private static OperationSeries series(String operation, int clients, double... seconds) {
        return new OperationSeries(
                "filesystem",
                operation,
                MainJobOperation.ResultUnit.OPERATIONS,
                clients,
                Arrays.stream(seconds).mapToObj(MainJobPageTest::measurement).toList());
    }

    private static OperationMeasurement measurement(double seconds) {
        Latencies.Percentiles latency =
                new Latencies.Percentiles(4, 0.25 * seconds, 0.5 * seconds, 20 * seconds, 30 * seconds);
        return new OperationMeasurement(
                200, 400, 1, seconds, latency, NONE, 0.001, 0.002, Map.of("exists", 200.0, "get", 100.0));
    }
}
