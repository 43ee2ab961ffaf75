package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Axis;
import dev.kvstore.benchmark.report.Figure.FigureLine;
import dev.kvstore.benchmark.report.Figure.FigurePoint;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.ReportPage.Section;
import dev.kvstore.benchmark.report.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A report with charts. */
final class SweepPage {
    private static final Axis CLIENTS = new Axis("concurrency", "clients", true);
    private static final Axis ITERATIONS = new Axis("throughput", "iterations/s", false);
    private static final Axis MILLIS = new Axis("latency", "ms", true);
    private static final Axis BANDWIDTH = new Axis("bandwidth", "MB/s", false);

    private final SweepReport report;
    private final List<String> arrangements;

    private SweepPage(SweepReport report) {
        this.report = report;
        this.arrangements =
                report.steps().stream().map(SweepStep::arrangement).distinct().toList();
    }

    static ReportPage of(SweepReport report, String command) {
        return new SweepPage(report).page(command);
    }

    private ReportPage page(String command) {
        return new ReportPage(
                "Load sweep: " + (report.load() == Mix.MIXED ? "" : report.load() + ", ") + report.data() + " reads",
                summary(),
                List.of(
                        new Section("Throughput and latency against concurrency", against(), concurrency()),
                        new Section(
                                "What throughput costs in latency",
                                tradedOff()
                                        + " over throughput. An open loop's latencies count from when an iteration was due,"
                                        + " so nothing is left out that a slow answer kept from being asked.",
                                List.of(tradeOff())),
                        new Section(
                                "Bandwidth",
                                "Payload of Reads and Writes, in the closed loop.",
                                List.of(lines("Bandwidth", CLIENTS, BANDWIDTH, bandwidth()))),
                        new Section("One data plane and two", "", List.of(singleAgainstDual())),
                        new Section("Operating points", points(), List.of(operatingPoints())),
                        new Section("All steps", command + "\n\n" + report.text(), List.of())));
    }

    private String summary() {
        String peaks = report.series().stream()
                .map(series -> String.format(
                        Locale.ROOT,
                        "%s: %.1f iterations/s at %.0f clients, knee at %.0f, %.0f clients at %s of the peak",
                        series.arrangement(),
                        series.peak().iterationsPerSecond(),
                        series.peak().concurrency(),
                        series.knee().concurrency(),
                        series.crowd().concurrency(),
                        SweepTable.ratio(series.crowd().ofPeak())))
                .collect(Collectors.joining("; "));
        String flaw = report.holds() ? "" : " THE RUN DOES NOT HOLD: see its end.";
        return "%s, blocks of %,d bytes, reads %s, %d processors for all. %s.%s"
                .formatted(report.service(), report.blockBytes(), report.data(), report.processors(), peaks, flaw);
    }

    private String against() {
        return "Closed loop: each client does " + report.load().text()
                + ", and begins each call when the call before was answered. Bars span the rounds.";
    }

    private List<Figure> concurrency() {
        List<Figure> figures = new ArrayList<>();
        figures.add(lines("Throughput", CLIENTS, ITERATIONS, each("", PlannedStep.CLOSED, step -> {
            Spread spread = step.iterationsPerSecond();
            return new FigurePoint(step.concurrency(), spread.median(), spread.min(), spread.max());
        })));
        figures.add(lines("Lookup", CLIENTS, MILLIS, latencies(SweepStep::lookup)));
        figures.add(lines("Read", CLIENTS, MILLIS, latencies(SweepStep::read)));
        figures.add(lines("First block", CLIENTS, MILLIS, latencies(SweepStep::firstBlock)));
        figures.add(lines("Write", CLIENTS, MILLIS, latencies(SweepStep::write)));
        return figures.stream()
                .filter(figure -> !((Figure.Lines) figure).lines().isEmpty())
                .toList();
    }

    private List<FigureLine> latencies(Function<SweepStep, Percentiles> of) {
        List<FigureLine> lines = new ArrayList<>(each(
                " p50",
                PlannedStep.CLOSED,
                step -> FigurePoint.of(step.concurrency(), of.apply(step).p50Millis())));
        lines.addAll(each(
                " p99",
                PlannedStep.CLOSED,
                step -> FigurePoint.of(step.concurrency(), of.apply(step).p99Millis())));
        return lines;
    }

    /** Of a load without Reads it is the p99 of all its operations. */
    private String tradedOff() {
        return reads() ? "p99 of Reads" : "p99";
    }

    private boolean reads() {
        return report.steps().stream().anyMatch(step -> step.read().count() > 0);
    }

    private Figure tradeOff() {
        boolean reads = reads();
        Function<SweepStep, FigurePoint> point = step -> {
            double p99 = (reads ? step.read() : step.overall()).p99Millis();
            return new FigurePoint(step.iterationsPerSecond().median(), p99, p99, p99, load(step));
        };
        List<FigureLine> lines = new ArrayList<>(each(" closed", PlannedStep.CLOSED, point));
        lines.addAll(each(" open", PlannedStep.OPEN, point));
        return lines(tradedOff() + " over throughput", ITERATIONS, MILLIS, lines);
    }

    /** The load at which a step reached its throughput and latency. */
    private static String load(SweepStep step) {
        Double offered = step.offeredIterationsPerSecond();
        if (offered != null) {
            return String.format(Locale.ROOT, "offered %.1f iterations/s", offered);
        }
        long clients = Math.round(step.concurrency());
        return clients + (clients == 1 ? " client" : " clients");
    }

    private List<FigureLine> bandwidth() {
        List<FigureLine> lines = new ArrayList<>(each(
                " read",
                PlannedStep.CLOSED,
                step -> FigurePoint.of(step.concurrency(), step.readMegabytesPerSecond())));
        lines.addAll(each(
                " written",
                PlannedStep.CLOSED,
                step -> FigurePoint.of(step.concurrency(), step.writtenMegabytesPerSecond())));
        return lines;
    }

    /** A line per arrangement, of the steps that have something to show. */
    private List<FigureLine> each(String suffix, String loop, Function<SweepStep, FigurePoint> point) {
        return arrangements.stream()
                .map(arrangement -> new FigureLine(
                        arrangement + suffix,
                        steps(step -> step.arrangement().equals(arrangement)
                                        && step.loop().equals(loop)
                                        && step.overall().count() > 0)
                                .stream()
                                .map(point)
                                .filter(shown -> shown.x() > 0 && shown.y() > 0)
                                .toList()))
                .filter(line -> !line.points().isEmpty())
                .toList();
    }

    private List<SweepStep> steps(Predicate<SweepStep> which) {
        return report.steps().stream()
                .filter(which)
                .sorted(Comparator.comparingDouble(SweepStep::concurrency))
                .toList();
    }

    private static Figure lines(String caption, Axis x, Axis y, List<FigureLine> lines) {
        return new Figure.Lines(caption, x, y, lines);
    }

    private Figure singleAgainstDual() {
        List<List<String>> rows = new ArrayList<>();
        for (SweepStep single :
                steps(step -> step.dataPlanes() == 1 && step.loop().equals(PlannedStep.CLOSED))) {
            for (SweepStep dual : steps(step -> step.dataPlanes() == 2
                    && step.loop().equals(PlannedStep.CLOSED)
                    && step.concurrency() == single.concurrency())) {
                rows.add(List.of(
                        number(single.concurrency()),
                        number(single.iterationsPerSecond().median()),
                        number(dual.iterationsPerSecond().median()),
                        SweepTable.number(single.read().p50Millis()),
                        SweepTable.number(dual.read().p50Millis()),
                        SweepTable.number(single.read().p99Millis()),
                        SweepTable.number(dual.read().p99Millis())));
            }
        }
        return new Figure.Table(
                "The same clients on one data plane, and split over two",
                List.of("clients", "iterations/s, one", "two", "Read p50 ms, one", "two", "Read p99 ms, one", "two"),
                rows);
    }

    private static String points() {
        return "For each latency the step with the most throughput whose p99, of Reads and of all operations, is below it,"
                + " and that turned nobody away.";
    }

    private Figure operatingPoints() {
        List<List<String>> rows = new ArrayList<>();
        for (SweepSeries series : report.series()) {
            for (SweepSeries.OperatingPoint point : series.operatingPoints()) {
                rows.add(List.of(
                        series.arrangement(),
                        number(point.targetMillis()),
                        point.loop() == null ? "none" : point.loop(),
                        known(point.concurrency()),
                        known(point.iterationsPerSecond()),
                        known(point.megabytesPerSecond()),
                        known(point.readP99Millis()),
                        known(point.overallP99Millis()),
                        point.servers() == null ? "" : Long.toString(point.servers())));
            }
        }
        return new Figure.Table(
                "Operating points",
                List.of(
                        "data planes",
                        "p99 below ms",
                        "loop",
                        "clients",
                        "iterations/s",
                        "MB/s",
                        "Read p99 ms",
                        "p99 ms of all",
                        report.target() == null ? "servers" : "servers for " + report.target()),
                rows);
    }

    private static String known(@Nullable Double value) {
        return value == null ? "" : number(value);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
    }
}
