package dev.kvstore.benchmark.sweep.report;

import static dev.kvstore.benchmark.report.Numbers.format;
import static dev.kvstore.benchmark.sweep.report.SweepPage.gigabits;
import static dev.kvstore.benchmark.sweep.report.SweepPage.table;

import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage.Section;
import dev.kvstore.benchmark.sweep.report.SweepSeries.LoadPoint;
import dev.kvstore.benchmark.sweep.step.Hops;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sections of a report's page that capacity is planned by. */
record SweepPlanning(SweepReport report, SweepCharts charts) {
    private static final List<Column<Comparison>> COMPARISON = List.of(
            Column.of("", row -> row.concurrency() == null ? "peaks" : ""),
            Column.of("clients", row -> both(row, LoadPoint::concurrency)),
            Column.of("iterations/s", row -> both(row, LoadPoint::iterationsPerSecond)),
            Column.of("more, %", Comparison::throughputPercent),
            Column.of("Gbit/s", row -> both(row, LoadPoint::gigabitsPerSecond)),
            Column.of("more, %", Comparison::gigabitsPercent),
            Column.of("p50 ms", row -> both(row, LoadPoint::p50Millis)),
            Column.of("less, %", Comparison::latencyPercent),
            Column.of("p99 ms", row -> both(row, LoadPoint::p99Millis)));
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
    private static final List<Column<SweepSeries>> PEAKS = List.of(
            Column.of("planes", SweepSeries::arrangement),
            Column.of("tokens/s", series -> Math.round(series.peak().tokensPerSecond())),
            Column.of("read", series -> Math.round(series.peak().readTokensPerSecond())),
            Column.of("written", series -> Math.round(series.peak().writtenTokensPerSecond())),
            Column.of("Gbit/s", series -> gigabits(series.peak().gigabitsPerSecond())));
    private static final List<Column<SweepSeries>> LIMITS = List.of(
            Column.of(
                    "the card allows iterations/s",
                    series -> limit(series, SweepSeries.CardLimit::iterationsPerSecond)),
            Column.of("tokens/s", series -> limit(series, SweepSeries.CardLimit::tokensPerSecond)),
            Column.of("peak", "%", series -> limit(series, SweepSeries.CardLimit::peakPercent)));
    private static final List<Column<OperatingPoint>> POINTS = List.of(
            Column.of("planes", OperatingPoint::arrangement),
            Column.of("bound", OperatingPoint::wanted),
            Column.of("loop", point -> point.loop() == null ? "none" : point.loop()),
            Column.of("clients", OperatingPoint::concurrency),
            Column.of("/s", OperatingPoint::iterationsPerSecond),
            Column.of("tokens/s", OperatingPoint::tokensPerSecond),
            Column.of("MB/s", OperatingPoint::megabytesPerSecond),
            Column.of("Read p50", OperatingPoint::readP50Millis),
            Column.of("p99", OperatingPoint::readP99Millis),
            Column.of("p99 of all", OperatingPoint::overallP99Millis));
    private static final List<Column<OperatingPoint>> PROFILES = List.of(
            Column.of("planes", OperatingPoint::arrangement),
            Column.of("profile", OperatingPoint::wanted),
            Column.of("use", OperatingPoint::use),
            Column.of("clients", OperatingPoint::concurrency),
            Column.of("/s", OperatingPoint::iterationsPerSecond),
            Column.of("tokens/s", OperatingPoint::tokensPerSecond),
            Column.of("Read p50", OperatingPoint::readP50Millis),
            Column.of("p99", OperatingPoint::readP99Millis));
    private static final Column<OperatingPoint> SERVERS = Column.of("servers", OperatingPoint::servers);

    Section comparison() {
        return new Section(
                "One data plane and two",
                "Each cell is one/two, with as many clients in all. How much more two do is compared round by round.",
                List.of(table("Closed loop, one/two", report.comparison(), COMPARISON)));
    }

    Section operatingPoints() {
        List<Column<OperatingPoint>> servers = report.target() == null ? List.of() : List.of(SERVERS);
        boolean card = report.series().stream().anyMatch(series -> series.cardLimit() != null);
        return new Section(
                "Operating points",
                "The knee has the most throughput for its latency. Profiles are steps of the closed loop that turned nobody"
                        + " away. Lowest latency: the most throughput whose p50 is within 10 % of the least; balanced: the"
                        + " knee; highest throughput: the fewest clients within 5 % of the most. For each bound an"
                        + " operating point is the step with the most throughput whose percentile, of Reads and of all"
                        + " operations, is below it, and that turned nobody away. Latencies are in ms."
                        + (report.target() == null
                                ? ""
                                : " Servers: how many like this one take " + report.target()
                                        + ", at exactly that load."),
                List.of(
                        table("Closed loop", report.series(), SERIES),
                        table("Peaks", report.series(), PEAKS, card ? LIMITS : List.of()),
                        table("Profiles", points(SweepSeries::profiles), PROFILES, servers),
                        table("Operating points", points(SweepSeries::operatingPoints), POINTS, servers)));
    }

    private List<OperatingPoint> points(Function<SweepSeries, List<OperatingPoint>> of) {
        return report.series().stream()
                .flatMap(series -> of.apply(series).stream())
                .toList();
    }

    Section hops() {
        List<SweepStep> shown =
                report.steps().stream().filter(step -> !step.hops().isEmpty()).toList();
        if (shown.isEmpty()) {
            return new Section(
                    "Where the time goes",
                    "It cannot be seen: no data plane showed kvstore_call_duration_seconds of a Lookup, Read or Write.",
                    List.of());
        }
        List<Column<SweepStep>> calls = shown.stream()
                .flatMap(step -> step.hops().keySet().stream())
                .distinct()
                .sorted()
                .map(call -> Column.<SweepStep>of(
                        Hops.name(call), step -> parts(step.hops().get(call))))
                .toList();
        List<Figure> figures = new ArrayList<>(charts.hops());
        figures.add(table(
                "Means in ms: wire and client + server + storage = all",
                shown,
                SweepPage.NAMES.subList(1, SweepPage.NAMES.size()),
                calls));
        return new Section(
                "Where the time goes",
                "Of the closed loop, in means: they add up, percentiles do not. All is by the clients' clocks. Server and"
                        + " storage are by the data planes' timers over the same window: server from a call's headers until the"
                        + " system has the last byte of the answer, without storage; storage the calls to storage of that"
                        + " kind, those for the data plane's own files, too. Wire and client is the remainder, which no clock"
                        + " has on its own: both ends' sockets and threads, and the client's work.",
                figures);
    }

    private static @Nullable String parts(@Nullable Hops of) {
        return of == null
                ? null
                : format(
                        "%.2f + %.2f + %.2f = %.2f",
                        of.wireAndClientMillis(), of.serverMillis(), of.storageMillis(), of.meanMillis());
    }

    private static @Nullable Double limit(SweepSeries series, Function<SweepSeries.CardLimit, Double> figure) {
        return series.cardLimit() == null ? null : figure.apply(series.cardLimit());
    }

    private static String both(Comparison row, Function<LoadPoint, @Nullable Double> figure) {
        return text(figure.apply(row.single())) + "/" + text(figure.apply(row.dual()));
    }

    private static String text(@Nullable Double value) {
        return value == null ? "?" : Numbers.text(value);
    }
}
