package dev.kvstore.benchmark.mainjob;

import static dev.kvstore.benchmark.measure.TextLines.format;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.TextLines;

/** A report for people: a line per series. Plain text, 140 columns. */
final class MainJobTable {
    private static final double MEGABYTE = 1e6;
    private static final double MILLIS = 1e3;
    private static final double MICROS = 1e6;

    private final TextLines text = new TextLines();
    private final MainJobReport report;

    private MainJobTable(MainJobReport report) {
        this.report = report;
    }

    static String of(MainJobReport report) {
        return new MainJobTable(report).render();
    }

    private String render() {
        text.line(
                "%s, %d processors for clients, data plane and storage together, Java %s",
                report.system(), report.processors(), report.java());
        text.line(
                "Blocks of %d bytes unless said otherwise; clients are platform threads that share %d connections.",
                report.blockBytes(), report.connections());
        text.line(
                "Warmed up %.0f s per operation, measured %.0f s per round; medians of the rounds.",
                report.warmUpSeconds(), report.measuredSeconds());
        text.line("");
        text.line(
                "%-10s %-21s %7s %9s %-8s %17s %8s %8s %8s %15s %7s  %s",
                "storage",
                "operation",
                "clients",
                "rate",
                "",
                "min-max",
                "p50",
                "p90",
                "p99",
                "first p50/p99",
                "calls",
                "CPU client+server");
        report.series().forEach(this::series);
        text.line("");
        text.line(
                "p50, p90, p99 in us of one operation: a lookup, a read, a whole streamed prompt of 64 blocks (512 B: of");
        text.line(
                "1,000); of writes, from handing a block over to its acknowledgement. first: us to a prompt's first block.");
        text.line("calls: to storage, per operation (a streaming write is 16 blocks).");
        text.line("");
        report.servers().forEach(this::server);
        return text.toString();
    }

    private void series(OperationSeries series) {
        OperationSeries.SeriesSpread rate = series.rate();
        text.line(
                "%-10s %-21s %7d %9s %-8s %17s %8s %8s %8s %15s %7.2f  %s",
                series.storage(),
                series.operation(),
                series.clients(),
                number(rate.median()),
                series.unit().rate,
                number(rate.min()) + "-" + number(rate.max()),
                micros(series.median(round -> round.latency().p50Millis())),
                micros(series.median(round -> round.latency().p90Millis())),
                micros(series.median(round -> round.latency().p99Millis())),
                firstBlock(series),
                series.median(OperationMeasurement::storageCallsPerOperation),
                cpu(series));
    }

    private static String firstBlock(OperationSeries series) {
        Latencies.Percentiles any = series.rounds().getFirst().firstBlock();
        return any.count() == 0
                ? "-"
                : micros(series.median(round -> round.firstBlock().p50Millis()))
                        + "/"
                        + micros(series.median(round -> round.firstBlock().p99Millis()));
    }

    private static String cpu(OperationSeries series) {
        double client = series.median(round -> round.clientCpuSeconds() / round.amount(series.unit()));
        double server = series.median(round -> round.serverCpuSeconds() / round.amount(series.unit()));
        return switch (series.unit()) {
            case OPERATIONS -> format("%.0f+%.0f us/op", client * MICROS, server * MICROS);
            case BLOCKS -> format("%.1f+%.1f us/block", client * MICROS, server * MICROS);
            case MEGABYTES -> format("%.2f+%.2f s/GB", client * MILLIS, server * MILLIS);
        };
    }

    private void server(MainJobReport.ServerFigures server) {
        text.line(
                "%-10s data plane ready after %.0f ms; resident %.0f MB idle, %.0f MB after load, of these %.0f MB blocks",
                server.storage(),
                server.startMillis(),
                server.idleBytes() / MEGABYTE,
                server.loadedBytes() / MEGABYTE,
                server.blockBytesInMemory() / MEGABYTE);
    }

    private static String micros(double millis) {
        return number(millis * MILLIS);
    }

    private static String number(double value) {
        return format(value < 10 ? "%.1f" : "%.0f", value);
    }
}
