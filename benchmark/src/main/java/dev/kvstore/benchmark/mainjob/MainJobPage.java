package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Axis;
import dev.kvstore.benchmark.report.Figure.Bar;
import dev.kvstore.benchmark.report.Figure.FigureLine;
import dev.kvstore.benchmark.report.Figure.FigurePoint;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A report with charts: rates by operation, latency against clients, and all of it as a table. */
final class MainJobPage {
    private static final double MEGABYTE = 1e6;
    private static final double MICROS = 1e6;

    private final MainJobReport report;
    private final boolean severalStorages;

    private MainJobPage(MainJobReport report) {
        this.report = report;
        this.severalStorages = report.series().stream()
                        .map(OperationSeries::storage)
                        .distinct()
                        .count()
                > 1;
    }

    static ReportPage of(MainJobReport report) {
        return new MainJobPage(report).page();
    }

    private ReportPage page() {
        int rounds = report.series().stream()
                .mapToInt(series -> series.rounds().size())
                .max()
                .orElse(0);
        String summary =
                ("Lookups, reads and writes of blocks of %s bytes through the Java SDK, clients and data plane on one machine."
                                + " Medians of %d rounds of %s s after a warm-up of %s s; ranges are the least and the most of the rounds.")
                        .formatted(
                                Numbers.text(report.blockBytes()),
                                rounds,
                                Numbers.text(report.measuredSeconds()),
                                Numbers.text(report.warmUpSeconds()));
        return new ReportPage(
                "Main job",
                summary,
                List.of(
                        new ReportPage.Section("Rates", "", rates()),
                        new ReportPage.Section("Latency", latencyText(), latency()),
                        new ReportPage.Section("Everything", "", List.of(table())),
                        new ReportPage.Section("The data plane", "", List.of(servers()))));
    }

    private List<Figure> rates() {
        List<Figure> figures = new ArrayList<>();
        for (MainJobOperation.ResultUnit unit : MainJobOperation.ResultUnit.values()) {
            List<Bar> bars = report.series().stream()
                    .filter(series -> series.unit() == unit)
                    .map(series -> new Bar(
                            name(series),
                            clients(series.clients()),
                            series.rate().median(),
                            series.rate().min(),
                            series.rate().max()))
                    .toList();
            if (!bars.isEmpty()) {
                figures.add(new Figure.Bars("Rate in " + unit.rate, unit.rate, bars));
            }
        }
        return figures;
    }

    private static String latencyText() {
        return "Of one operation: a lookup, a read, a whole streamed prompt; of writes, from handing a block over to its"
                + " acknowledgement.";
    }

    private List<Figure> latency() {
        return Stream.of("p50", "p99")
                .<Figure>map(percentile -> new Figure.Lines(
                        "Latency against clients, " + percentile,
                        new Axis("clients", "", false),
                        new Axis(percentile, "ms", true),
                        report.series().stream()
                                .map(this::name)
                                .distinct()
                                .map(name -> line(name, percentile.equals("p50")))
                                .toList()))
                .toList();
    }

    private FigureLine line(String name, boolean median) {
        return new FigureLine(
                name,
                report.series().stream()
                        .filter(series -> name(series).equals(name))
                        .map(series -> {
                            OperationSeries.SeriesSpread spread = series.spread(round -> median
                                    ? round.latency().p50Millis()
                                    : round.latency().p99Millis());
                            return new FigurePoint(series.clients(), spread.median(), spread.min(), spread.max());
                        })
                        .toList());
    }

    private Figure.Table table() {
        List<String> columns = List.of(
                "operation",
                "clients",
                "rate",
                "",
                "p50 (ms)",
                "p90 (ms)",
                "p99 (ms)",
                "first block p50 (ms)",
                "storage calls",
                "CPU client (us)",
                "CPU server (us)",
                "per");
        return new Figure.Table(
                "Medians of the rounds",
                columns,
                report.series().stream().map(this::row).toList());
    }

    private List<String> row(OperationSeries series) {
        OperationSeries.SeriesSpread rate = series.rate();
        boolean streamed = series.rounds().getFirst().firstBlock().count() > 0;
        return List.of(
                name(series),
                Numbers.text(series.clients()),
                Numbers.text(rate.median(), rate.min(), rate.max()),
                series.unit().rate,
                Numbers.text(series.median(round -> round.latency().p50Millis())),
                Numbers.text(series.median(round -> round.latency().p90Millis())),
                Numbers.text(series.median(round -> round.latency().p99Millis())),
                streamed
                        ? Numbers.text(series.median(round -> round.firstBlock().p50Millis()))
                        : "",
                Numbers.text(series.median(OperationMeasurement::storageCallsPerOperation)),
                Numbers.text(MICROS * series.median(round -> round.clientCpuSeconds() / round.amount(series.unit()))),
                Numbers.text(MICROS * series.median(round -> round.serverCpuSeconds() / round.amount(series.unit()))),
                series.unit().rate.replace("/s", ""));
    }

    private Figure.Table servers() {
        return new Figure.Table(
                "Start and memory",
                List.of(
                        "storage",
                        "ready after (ms)",
                        "resident idle (MB)",
                        "resident after all (MB)",
                        "of it blocks (MB)"),
                report.servers().stream()
                        .map(server -> List.of(
                                server.storage(),
                                Numbers.text(server.startMillis()),
                                Numbers.text(server.idleBytes() / MEGABYTE),
                                Numbers.text(server.loadedBytes() / MEGABYTE),
                                Numbers.text(server.blockBytesInMemory() / MEGABYTE)))
                        .toList());
    }

    private String name(OperationSeries series) {
        return severalStorages ? series.operation() + ", " + series.storage() : series.operation();
    }

    private static String clients(int count) {
        return count == 1 ? "1 client" : count + " clients";
    }
}
