package dev.kvstore.benchmark.control;

import static dev.kvstore.benchmark.report.Numbers.text;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.LatencyTable;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A report as a page: a section for each part that was measured. */
final class ControlPage {
    private ControlPage() {}

    static ReportPage of(ControlReport report) {
        List<ReportPage.Section> sections = new ArrayList<>();
        if (report.registered() != null) {
            sections.add(section(
                    "Registering",
                    LatencyTable.of(
                            report.registered().text().strip(),
                            Map.of("PUT", report.registered().put()))));
        }
        if (report.pages() != null) {
            sections.add(section("Pages of lists", pages(report.pages())));
        }
        if (report.resolve() != null) {
            sections.add(new ReportPage.Section(
                    "Resolving keys",
                    cached(report.resolve().cached()),
                    List.of(resolves(report.resolve()), outcomes(report.resolve()))));
        }
        if (report.watch() != null) {
            sections.add(watch(report.watch()));
        }
        if (report.outage() != null) {
            sections.add(section("The control plane killed", outage(report.outage()), requests(report.outage())));
        }
        return new ReportPage(
                        "Control plane",
                        "The control plane with many accounts and watchers, and data planes without it.",
                        sections)
                .withFailures(report.breaches());
    }

    private static ReportPage.Section section(String heading, Figure... figures) {
        return new ReportPage.Section(heading, "", List.of(figures));
    }

    private static Figure.Table pages(List<ListTimes> pages) {
        return new Figure.Table(
                "Median time of a page (ms)",
                List.of("list", "limit", "items", "pages", "first tenth", "middle", "last tenth", "last over first"),
                pages.stream()
                        .map(listing -> List.of(
                                listing.list(),
                                text(listing.limit()),
                                text(listing.items()),
                                text(listing.pages()),
                                text(listing.first().p50Millis()),
                                text(listing.middle().p50Millis()),
                                text(listing.last().p50Millis()),
                                text(listing.flatness())))
                        .toList());
    }

    private static String cached(ResolveReport.@Nullable Cached cached) {
        return cached == null
                ? ""
                : "%s lookups through a data plane that knew the key, in %s s, made it ask the control plane %s times."
                        .formatted(text(cached.lookups()), text(cached.seconds()), text(cached.questions()));
    }

    private static Figure.Table resolves(ResolveReport report) {
        return new Figure.Table(
                "As callers see it, and in the control plane",
                List.of(
                        "callers",
                        "each",
                        "a second",
                        "p50 (ms)",
                        "p99 (ms)",
                        "there p50 (ms)",
                        "there p99 (ms)",
                        "wrong"),
                report.rounds().stream()
                        .map(round -> List.of(
                                text(round.callers()),
                                round.pacedPerSecond() == 0 ? "at once again" : text(round.pacedPerSecond()) + " /s",
                                text(round.perSecond()),
                                text(round.all().p50Millis()),
                                text(round.all().p99Millis()),
                                text(round.server().p50Millis()),
                                text(round.server().p99Millis()),
                                text(round.wrong())))
                        .toList());
    }

    private static Figure.Table outcomes(ResolveReport report) {
        Map<String, Latencies.Percentiles> latencies = new LinkedHashMap<>();
        report.rounds()
                .forEach(round -> round.byOutcome()
                        .forEach((outcome, latency) -> latencies.put(
                                round.callers() + " at a time" + (round.pacedPerSecond() == 0 ? ", " : ", paced, ")
                                        + outcome,
                                latency)));
        return LatencyTable.of("By kind of answer", latencies);
    }

    private static ReportPage.Section watch(WatchReport report) {
        Map<String, Latencies.Percentiles> latencies = new LinkedHashMap<>();
        latencies.put("from sending the PUT", report.fromSending());
        latencies.put("from its answer", report.fromAnswer());
        latencies.put("the last to hear", report.slowest());
        return new ReportPage.Section(
                "Watching",
                "%s changes heard by %s watchers on %s connections; %s were not heard of within 10 s."
                        .formatted(
                                text(report.changes()),
                                text(report.watchers()),
                                text(report.channels()),
                                text(report.unheard())),
                List.of(LatencyTable.of("Until a watcher has a change", latencies)));
    }

    private static Figure.Table outage(OutageReport report) {
        return Figure.Table.facts(
                "What clients noticed",
                "started again after",
                text(report.outageSeconds()) + " s",
                "requests",
                text(report.requests()) + ", of which " + text(report.requestsWhileGone()) + " while it was gone",
                "failed",
                text(report.failed()),
                "longest time without an answer",
                text(report.pauseMillis()) + " ms",
                "a new key is taken after",
                text(report.newKeyMillis()) + " ms",
                "a revoked key is refused after",
                text(report.revokedMillis()) + " ms");
    }

    private static Figure.Table requests(OutageReport report) {
        Map<String, Latencies.Percentiles> latencies = new LinkedHashMap<>();
        report.whileThere().forEach((kind, latency) -> latencies.put(kind + ", there", latency));
        report.whileGone().forEach((kind, latency) -> latencies.put(kind + ", gone", latency));
        return LatencyTable.of("Requests while it was there, and while it was gone", latencies);
    }
}
