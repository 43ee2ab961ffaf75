package dev.kvstore.benchmark.sweep.report;

import static dev.kvstore.benchmark.report.Numbers.format;

import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Axis;
import dev.kvstore.benchmark.report.Figure.FigureLine;
import dev.kvstore.benchmark.report.Figure.FigurePoint;
import dev.kvstore.benchmark.report.Spread;
import dev.kvstore.benchmark.sweep.step.Hops;
import dev.kvstore.benchmark.sweep.step.PlannedStep;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The charts of a report's page, a line per arrangement in each. */
record SweepCharts(List<SweepStep> steps, @Nullable Double nicGbit) {
    private static final Axis CLIENTS = new Axis("concurrency", "clients", true);
    private static final Axis ITERATIONS = new Axis("throughput", "iterations/s", false);
    private static final Axis TOKENS = new Axis("throughput", "tokens/s", false);
    private static final Axis MILLIS = new Axis("latency", "ms", true);
    private static final Axis MEAN = new Axis("mean latency", "ms", false);

    /** A kind of call that is timed, and has a chart of its own. */
    record TimedKind(String name, Function<SweepStep, Percentiles> latency) {}

    private static final List<TimedKind> KINDS = List.of(
            new TimedKind("Lookup", SweepStep::lookup),
            new TimedKind("Read", SweepStep::read),
            new TimedKind("First block", SweepStep::firstBlock),
            new TimedKind("Write", SweepStep::write));

    /** The kinds that this load has. */
    List<TimedKind> kinds() {
        return KINDS.stream()
                .filter(kind ->
                        steps.stream().anyMatch(step -> kind.latency.apply(step).count() > 0))
                .toList();
    }

    /** Throughput, latency and bandwidth against the number of clients. */
    List<Figure> againstClients() {
        List<Figure> figures = new ArrayList<>();
        add(figures, "Throughput", CLIENTS, ITERATIONS, line("", PlannedStep.CLOSED, step -> {
            Spread spread = step.iterationsPerSecond();
            return new FigurePoint(step.concurrency(), spread.median(), spread.min(), spread.max());
        }));
        add(
                figures,
                "Tokens",
                CLIENTS,
                TOKENS,
                closed(" all", SweepStep::tokensPerSecond),
                closed(" read", SweepStep::readTokensPerSecond),
                closed(" written", SweepStep::writtenTokensPerSecond));
        for (TimedKind kind : kinds()) {
            add(
                    figures,
                    kind.name,
                    CLIENTS,
                    MILLIS,
                    closed(" p50", step -> kind.latency.apply(step).p50Millis()),
                    closed(" p90", step -> kind.latency.apply(step).p90Millis()),
                    closed(" p99", step -> kind.latency.apply(step).p99Millis()));
        }
        // Of a load without Reads it is the p99 of all its operations.
        boolean reads = kinds().stream().anyMatch(kind -> kind.name.equals("Read"));
        Function<SweepStep, FigurePoint> tradeOff = step -> {
            double p99 = step.chiefLatency().p99Millis();
            return new FigurePoint(step.iterationsPerSecond().median(), p99, p99, p99, load(step));
        };
        add(
                figures,
                (reads ? "p99 of Reads" : "p99") + " over throughput",
                ITERATIONS,
                MILLIS,
                line(" closed", PlannedStep.CLOSED, tradeOff),
                line(" open", PlannedStep.OPEN, tradeOff));
        boolean seen = steps.stream().anyMatch(step -> step.gigabitsPerSecond().total() != null);
        add(
                figures,
                seen ? "Server bandwidth" : "Bandwidth of clients",
                CLIENTS,
                // Most loads are far below their card.
                new Axis("bandwidth", "Gbit/s", nicGbit != null),
                closed(" in", step -> step.gigabitsPerSecond().seenIn()),
                closed(" out", step -> step.gigabitsPerSecond().seenOut()),
                card());
        return figures;
    }

    /** The mean latency of each kind of call, by where its time goes. */
    List<Figure> hops() {
        List<Figure> figures = new ArrayList<>();
        steps.stream()
                .flatMap(step -> step.hops().keySet().stream())
                .distinct()
                .sorted()
                .forEach(call -> {
                    Function<Function<Hops, Double>, Function<SweepStep, Double>> part = of -> step ->
                            step.hops().containsKey(call) ? of.apply(step.hops().get(call)) : 0.0;
                    add(
                            figures,
                            "Mean of a " + Hops.name(call),
                            CLIENTS,
                            MEAN,
                            closed(" storage", part.apply(Hops::storageMillis)),
                            closed(" server", part.apply(Hops::serverMillis)),
                            closed(" wire and client", part.apply(Hops::wireAndClientMillis)));
                });
        return figures;
    }

    /** The rate of the network card, from the fewest clients to the most. */
    private Stream<FigureLine> card() {
        Double rate = nicGbit;
        return rate == null
                ? Stream.empty()
                : Stream.of(new FigureLine(
                        "card",
                        SweepSeries.closed(steps).stream()
                                .map(SweepStep::concurrency)
                                .distinct()
                                .map(clients -> FigurePoint.of(clients, rate))
                                .toList()));
    }

    /** Adds a chart, unless it has no lines. */
    @SafeVarargs
    private static void add(List<Figure> figures, String caption, Axis x, Axis y, Stream<FigureLine>... lines) {
        List<FigureLine> all = new ArrayList<>();
        for (Stream<FigureLine> some : lines) {
            all.addAll(some.toList());
        }
        if (!all.isEmpty()) {
            figures.add(new Figure.Lines(caption, x, y, all));
        }
    }

    private Stream<FigureLine> closed(String suffix, Function<SweepStep, Double> y) {
        return line(suffix, PlannedStep.CLOSED, step -> FigurePoint.of(step.concurrency(), y.apply(step)));
    }

    /** A line per arrangement, of the steps that have something to show. */
    private Stream<FigureLine> line(String suffix, String loop, Function<SweepStep, FigurePoint> point) {
        return steps.stream()
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

    /** The load at which a step reached its throughput and latency. */
    private static String load(SweepStep step) {
        Double offered = step.offeredIterationsPerSecond();
        long clients = Math.round(step.concurrency());
        return offered == null
                ? clients + (clients == 1 ? " client" : " clients")
                : format("offered %.1f iterations/s", offered);
    }
}
