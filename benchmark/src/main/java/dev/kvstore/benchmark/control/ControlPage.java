package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.control.ControlReport.OutageFigures;
import dev.kvstore.benchmark.control.ControlReport.RegistrationFigures;
import dev.kvstore.benchmark.control.ControlReport.ResolveFigures;
import dev.kvstore.benchmark.control.ControlReport.ResolveRound;
import dev.kvstore.benchmark.control.ControlReport.WatchFigures;
import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.measure.LatencyTable;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Figure.Table;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report as a page: a section for each part that was measured. */
final class ControlPage {
    private static final List<Column<RegistrationFigures>> REGISTRATION = List.of(
            Column.of("accounts", RegistrationFigures::accounts),
            Column.of(
                    "of them over REST, on " + Registrations.CONNECTIONS + " connections",
                    RegistrationFigures::overRest),
            Column.of("of these a second", RegistrationFigures::restPerSecond),
            Column.of("the others by SQL in", "s", RegistrationFigures::sqlSeconds));

    private static final List<Column<ListTimes>> PAGES = List.of(
            Column.of("list", ListTimes::list),
            Column.of("limit", ListTimes::limit),
            Column.of("items", ListTimes::items),
            Column.of("pages", ListTimes::pages),
            Column.of("read", listing -> listing.rounds() + " times"),
            Column.of("first p50", listing -> listing.first().p50Millis()),
            Column.of("p99", listing -> listing.first().p99Millis()),
            Column.of("middle p50", listing -> listing.middle().p50Millis()),
            Column.of("p99", listing -> listing.middle().p99Millis()),
            Column.of("last p50", listing -> listing.last().p50Millis()),
            Column.of("p99", listing -> listing.last().p99Millis()),
            Column.of("last/first", ListTimes::flatness));

    private static final List<Column<ResolveRound>> RESOLVES = List.of(
            Column.of("callers", ResolveRound::callers),
            Column.of("paced", "/s", round -> round.pacedPerSecond() == 0 ? null : round.pacedPerSecond()),
            Column.of("a second", ResolveRound::perSecond),
            Column.of("p50", round -> round.all().p50Millis()),
            Column.of("p99", round -> round.all().p99Millis()),
            Column.of("there p50", round -> round.server().p50Millis()),
            Column.of("p99", round -> round.server().p99Millis()),
            Column.of("mean", round -> round.server().meanMillis()),
            Column.of(
                    "bare threads p50",
                    round -> round.bare() == null ? null : round.bare().p50Millis()),
            Column.of("p99", round -> round.bare() == null ? null : round.bare().p99Millis()),
            Column.of("wrong", ResolveRound::wrong));

    private static final List<Column<OutageFigures>> OUTAGE = List.of(
            Column.of("failed, or answered wrongly", OutageFigures::failed),
            Column.of("requests", OutageFigures::requests),
            Column.of("requests while it was gone", OutageFigures::requestsWhileGone),
            Column.of("longest time without an answer", "ms", OutageFigures::pauseMillis),
            Column.of("started again after", "s", OutageFigures::outageSeconds),
            Column.of("ready after that in", "s", figures -> figures.restartMillis() / 1e3),
            Column.of("watched by all data planes after that in", "s", figures -> figures.watchAgainMillis() / 1e3),
            Column.of("a new key is taken after", "ms", OutageFigures::newKeyMillis),
            Column.of("a revoked key is refused after", "ms", OutageFigures::revokedMillis));

    private ControlPage() {}

    static ReportPage of(ControlReport report) {
        List<ReportPage.Section> sections = new ArrayList<>();
        if (report.registered() != null) {
            sections.add(section(
                    "Registering",
                    "",
                    Table.facts("", REGISTRATION, report.registered()),
                    LatencyTable.of(
                            "", Map.of("PUT of an account", report.registered().put()))));
        }
        if (report.pages() != null) {
            sections.add(section(
                    "Pages of lists",
                    "",
                    Table.of(
                            "Time of a page (ms): of the first tenth, the middle tenth and the last",
                            PAGES,
                            report.pages())));
        }
        if (report.resolve() != null) {
            sections.add(resolve(report.resolve()));
        }
        if (report.watch() != null) {
            sections.add(watch(report.watch()));
        }
        if (report.outage() != null) {
            sections.add(outage(report.outage()));
        }
        return new ReportPage(
                "Control plane", report.holds() ? "Every bound was held." : "A bound was broken.", sections);
    }

    private static ReportPage.Section section(String heading, String text, Figure... figures) {
        return new ReportPage.Section(heading, text, List.of(figures));
    }

    private static ReportPage.Section resolve(ResolveFigures figures) {
        Map<String, Percentiles> latencies = new LinkedHashMap<>();
        for (ResolveRound round : figures.rounds()) {
            String name = round.callers() + " at a time" + (round.pacedPerSecond() == 0 ? ", " : ", paced, ");
            latencies.put(name + "all", round.all());
            round.byOutcome().forEach((outcome, latency) -> latencies.put(name + outcome, latency));
            if (round.bare() != null) {
                latencies.put(name + "bare threads", round.bare());
            }
        }
        return section(
                "Resolving keys",
                "%,d lookups through a data plane that knew the key, in %.1f s, made it ask the control plane %d times."
                        .formatted(
                                figures.cached().lookups(),
                                figures.cached().seconds(),
                                figures.cached().questions()),
                Table.of(
                        "Times (ms) as callers see it, in the control plane, and of bare threads",
                        RESOLVES,
                        figures.rounds()),
                LatencyTable.of("By kind of answer", latencies));
    }

    private static ReportPage.Section watch(WatchFigures figures) {
        Map<String, Percentiles> latencies = new LinkedHashMap<>();
        latencies.put("from sending the PUT", figures.fromSending());
        latencies.put("from its answer", figures.fromAnswer());
        latencies.put("the last to hear", figures.slowest());
        return section(
                "Watching",
                "%,d changes heard by %,d watchers on %d connections; %d were not heard of within 10 s."
                        .formatted(figures.changes(), figures.watchers(), figures.channels(), figures.unheard()),
                LatencyTable.of("Until a watcher has a change", latencies));
    }

    private static ReportPage.Section outage(OutageFigures figures) {
        Map<String, Percentiles> latencies = new LinkedHashMap<>();
        figures.whileThere().forEach((kind, latency) -> latencies.put(kind + ", there", latency));
        figures.whileGone().forEach((kind, latency) -> latencies.put(kind + ", gone", latency));
        return section(
                "The control plane killed",
                String.join("\n\n", figures.failures()),
                Table.facts("What clients noticed", OUTAGE, figures),
                LatencyTable.of("Requests while it was there, and while it was gone", latencies));
    }
}
