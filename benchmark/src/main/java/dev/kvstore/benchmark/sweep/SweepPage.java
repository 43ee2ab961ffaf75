package dev.kvstore.benchmark.sweep;

import static dev.kvstore.benchmark.report.Numbers.format;

import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Axis;
import dev.kvstore.benchmark.report.Figure.FigureLine;
import dev.kvstore.benchmark.report.Figure.FigurePoint;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.ReportPage.Section;
import dev.kvstore.benchmark.report.Spread;
import dev.kvstore.benchmark.sweep.SweepSeries.OperatingPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A report's page: charts for a browser, tables for all. */
record SweepPage(SweepReport report) {
    private static final Axis CLIENTS = new Axis("concurrency", "clients", true);
    private static final Axis ITERATIONS = new Axis("throughput", "iterations/s", false);
    private static final Axis MILLIS = new Axis("latency", "ms", true);
    private static final Axis BANDWIDTH = new Axis("bandwidth", "MB/s", false);

    private record TimedKind(String name, Function<SweepStep, Percentiles> latency) {}

    private static final List<TimedKind> KINDS = List.of(
            new TimedKind("Lookup", SweepStep::lookup),
            new TimedKind("Read", SweepStep::read),
            new TimedKind("First block", SweepStep::firstBlock),
            new TimedKind("Write", SweepStep::write));

    private static final List<Column<SweepStep>> NAMES = List.of(
            Column.of("loop", SweepStep::loop),
            Column.of("planes", SweepStep::arrangement),
            Column.of("clients", SweepStep::concurrency));
    private static final List<Column<SweepStep>> WORK = List.of(
            Column.of("iterations/s", SweepStep::iterationsPerSecond),
            Column.of("tokens/s", step -> Math.round(step.tokensPerSecond())),
            Column.of("read", "MB/s", SweepStep::readMegabytesPerSecond),
            Column.of("written", "MB/s", SweepStep::writtenMegabytesPerSecond),
            Column.of("CPUs", SweepPage::cpus),
            Column.of("Little", SweepPage::check),
            Column.of("refused", SweepStep::refused));
    private static final List<Column<SweepSeries>> SERIES = List.of(
            Column.of("planes", SweepSeries::arrangement),
            Column.of("peak", "/s", series -> series.peak().iterationsPerSecond()),
            Column.of("at clients", series -> series.peak().concurrency()),
            Column.of("within 5 % from", series -> series.saturation().concurrency()),
            Column.of("knee", "/s", series -> series.knee().iterationsPerSecond()),
            Column.of("at clients", series -> series.knee().concurrency()),
            Column.of("mean", "ms", series -> series.knee().meanMillis()),
            Column.of("most clients", series -> series.crowd().concurrency()),
            Column.of("of the peak", series -> series.crowd().ofPeak()));
    private static final List<Column<OperatingPoint>> POINTS = List.of(
            Column.of("planes", OperatingPoint::arrangement),
            Column.of("p99 below", "ms", OperatingPoint::targetMillis),
            Column.of("loop", point -> point.loop() == null ? "none" : point.loop()),
            Column.of("clients", OperatingPoint::concurrency),
            Column.of("iterations/s", OperatingPoint::iterationsPerSecond),
            Column.of("MB/s", OperatingPoint::megabytesPerSecond),
            Column.of("Read p99", "ms", OperatingPoint::readP99Millis),
            Column.of("p99 of all", "ms", OperatingPoint::overallP99Millis),
            Column.of("servers", OperatingPoint::servers));

    ReportPage page() {
        return new ReportPage(
                "Load sweep: " + (report.load() == Mix.MIXED ? "" : report.load() + ", ") + report.data() + " reads",
                summary(),
                List.of(
                        new Section("Throughput and latency against concurrency", against(), concurrency()),
                        operatingPoints(),
                        new Section("What was measured, and checked", conditions(), List.of())));
    }

    private String summary() {
        String peaks = report.series().stream()
                .map(series -> format(
                        "%s: %.1f iterations/s at %.0f clients, knee at %.0f",
                        series.arrangement(),
                        series.peak().iterationsPerSecond(),
                        series.peak().concurrency(),
                        series.knee().concurrency()))
                .collect(Collectors.joining("; "));
        return format(
                "%s, blocks of %,d bytes, reads %s, %d processors for all. %s.%s",
                report.service(),
                report.blockBytes(),
                report.data(),
                report.processors(),
                peaks.isEmpty() ? "Nothing was measured" : peaks,
                report.faults().all() == 0 ? " No block was lost or wrong." : "");
    }

    private String against() {
        return "Closed loop: each client does " + report.load().text()
                + ", and begins each call when the call before was answered. Open loop: iterations are due at even"
                + " distances; latencies count from when an iteration was due, so nothing is left out that a slow answer"
                + " kept from being asked; the clients are those under way on average. CPUs are used on average, by clients"
                + " and by data planes. Little is throughput times latency against the number of clients: \"!\" beyond 5 %,"
                + " and where an open loop did not keep up with its rate. Ranges span the rounds.";
    }

    private List<Figure> concurrency() {
        List<Figure> figures = new ArrayList<>();
        figures.add(lines("Throughput", CLIENTS, ITERATIONS, List.of(line("", PlannedStep.CLOSED, step -> {
            Spread spread = step.iterationsPerSecond();
            return new FigurePoint(step.concurrency(), spread.median(), spread.min(), spread.max());
        }))));
        List<TimedKind> kinds = KINDS.stream().filter(this::isMeasured).toList();
        for (TimedKind kind : kinds) {
            figures.add(lines(
                    kind.name,
                    CLIENTS,
                    MILLIS,
                    List.of(
                            closed(" p50", step -> kind.latency.apply(step).p50Millis()),
                            closed(" p99", step -> kind.latency.apply(step).p99Millis()))));
        }
        // Of a load without Reads it is the p99 of all its operations.
        boolean reads = kinds.stream().anyMatch(kind -> kind.name.equals("Read"));
        Function<SweepStep, FigurePoint> tradeOff = step -> {
            double p99 = (reads ? step.read() : step.overall()).p99Millis();
            return new FigurePoint(step.iterationsPerSecond().median(), p99, p99, p99, load(step));
        };
        figures.add(lines(
                (reads ? "p99 of Reads" : "p99") + " over throughput",
                ITERATIONS,
                MILLIS,
                List.of(line(" closed", PlannedStep.CLOSED, tradeOff), line(" open", PlannedStep.OPEN, tradeOff))));
        figures.add(lines(
                "Bandwidth",
                CLIENTS,
                BANDWIDTH,
                List.of(
                        closed(" read", SweepStep::readMegabytesPerSecond),
                        closed(" written", SweepStep::writtenMegabytesPerSecond))));
        List<Column<SweepStep>> latencies = new ArrayList<>(NAMES);
        kinds.forEach(kind -> latencies.add(Column.of(kind.name, step -> three(kind.latency.apply(step)))));
        latencies.add(Column.of("p99 of all", step -> step.overall().p99Millis()));
        latencies.add(Column.of("longest", step -> step.overall().maxMillis()));
        List<Column<SweepStep>> work = new ArrayList<>(NAMES);
        work.addAll(WORK);
        figures.add(Figure.Table.of("Throughput", work, report.steps()));
        figures.add(Figure.Table.of("Latencies in ms: p50/p90/p99", latencies, report.steps()));
        return figures;
    }

    private boolean isMeasured(TimedKind kind) {
        return report.steps().stream().anyMatch(step -> kind.latency.apply(step).count() > 0);
    }

    private static Figure lines(String caption, Axis x, Axis y, List<Stream<FigureLine>> lines) {
        return new Figure.Lines(
                caption, x, y, lines.stream().flatMap(Function.identity()).toList());
    }

    private Stream<FigureLine> closed(String suffix, Function<SweepStep, Double> y) {
        return line(suffix, PlannedStep.CLOSED, step -> FigurePoint.of(step.concurrency(), y.apply(step)));
    }

    /** A line per arrangement, of the steps that have something to show. */
    private Stream<FigureLine> line(String suffix, String loop, Function<SweepStep, FigurePoint> point) {
        return report.steps().stream()
                .filter(step -> step.loop().equals(loop) && step.overall().count() > 0)
                .sorted(Comparator.comparing(SweepStep::dataPlanes).thenComparing(SweepStep::concurrency))
                .collect(Collectors.groupingBy(SweepStep::arrangement, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(entry -> new FigureLine(
                        entry.getKey() + suffix,
                        entry.getValue().stream()
                                .map(point)
                                .filter(shown -> shown.x() > 0 && shown.y() > 0)
                                .toList()))
                .filter(line -> !line.points().isEmpty());
    }

    private static String three(Percentiles of) {
        return Stream.of(of.p50Millis(), of.p90Millis(), of.p99Millis())
                .map(Numbers::text)
                .collect(Collectors.joining("/"));
    }

    private static String cpus(SweepStep step) {
        Double server = step.serverCpus();
        return format("%.2f+", step.clientCpus()) + (server == null ? "?" : format("%.2f", server));
    }

    private static String check(SweepStep step) {
        SweepStep.Little little = step.little();
        if (little == null) {
            return step.keptUp() ? "" : "!";
        }
        return format("%+.1f%%", little.deviationPercent()) + (little.holds() ? "" : "!");
    }

    /** The load at which a step reached its throughput and latency. */
    private static String load(SweepStep step) {
        Double offered = step.offeredIterationsPerSecond();
        long clients = Math.round(step.concurrency());
        return offered == null
                ? clients + (clients == 1 ? " client" : " clients")
                : format("offered %.1f iterations/s", offered);
    }

    private Section operatingPoints() {
        List<OperatingPoint> points = report.series().stream()
                .flatMap(series -> series.operatingPoints().stream())
                .toList();
        String servers =
                report.target() == null ? "" : " Servers: how many like this one take " + report.target() + ".";
        return new Section(
                "Operating points",
                "The knee has the most throughput for its latency. For each latency an operating point is the step with the"
                        + " most throughput whose p99, of Reads and of all operations, is below it, and that turned nobody"
                        + " away." + servers,
                List.of(
                        Figure.Table.of("Closed loop", SERIES, report.series()),
                        Figure.Table.of("Operating points", POINTS, points)));
    }

    private String conditions() {
        return format(
                "%s, Java %s. An iteration is %s; a prompt is %d blocks, a block is 128 tokens, %,d blocks are read."
                        + " Client processes: %d, with %d connections to each data plane. %.0f s a step, rounds: %d."
                        + "\n\n%,d blocks of %,d reads were compared byte for byte (each block's first, which mostly is in the"
                        + " warm-up, then each 61st; all by checksum); %s looked up.",
                report.system(),
                report.java(),
                report.load().text(),
                report.promptBlocks(),
                report.stockBlocks(),
                report.processes(),
                report.connections(),
                report.seconds(),
                report.rounds(),
                report.steps().stream().mapToLong(SweepStep::compared).sum(),
                report.steps().stream().mapToLong(step -> step.read().count()).sum(),
                report.load() == Mix.MIXED ? "every Write was" : "each client's last Write was");
    }
}
