package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.engine.RequestOutcome;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.workload.QosClass;
import dev.kvstore.benchmark.measure.TextLines;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;

/** A report with charts: what became of requests, how long they took, and what tiers moved. For one use. */
final class KvCachePage {
    private final KvCacheReport report;
    private final JsonNode summary;
    private final JsonNode own;

    private KvCachePage(KvCacheReport report) {
        this.report = report;
        this.summary = report.results().path("summary");
        this.own = summary.path("kvstore");
    }

    static ReportPage of(KvCacheReport report, String command) {
        return new KvCachePage(report).page(command);
    }

    private ReportPage page(String command) {
        String sentence = TextLines.format(
                "%s over %s, counted %s: %d requests answered in %.1f s, hit rate %.1f %%.",
                command,
                KvCacheTable.tiers(own),
                own.path("mode").asText(),
                report.results().path("requests_completed").asLong(),
                own.path("window_seconds").asDouble(),
                100 * summary.path("cache_stats").path("cache_hit_rate").asDouble());
        List<ReportPage.Section> sections = List.of(
                new ReportPage.Section("Requests", "", List.of(outcomes())),
                new ReportPage.Section("Latencies", "", List.of(latencies())),
                new ReportPage.Section("Tiers", "", List.of(bandwidths())),
                new ReportPage.Section("All of it as text", report.text(), List.of()));
        return new ReportPage("KV cache", sentence, sections).withFailures(report.flaws());
    }

    private Figure outcomes() {
        List<Figure.Bar> bars = new ArrayList<>();
        for (QosClass qos : QosClass.values()) {
            for (RequestOutcome outcome : RequestOutcome.values()) {
                bars.add(bar(
                        qos.toString(),
                        outcome.toString(),
                        own.path("requests")
                                .path(qos.toString())
                                .path(outcome.toString())
                                .asDouble()));
            }
        }
        return new Figure.Bars("What became of requests of the window", "requests", bars);
    }

    private Figure latencies() {
        List<Figure.Bar> bars = new ArrayList<>();
        for (String percentile : List.of("p50", "p95", "p99")) {
            bars.add(bar(
                    percentile,
                    "from intended start",
                    own.at("/latency_from_intended_start_ms/" + percentile).asDouble()));
            bars.add(bar(
                    percentile,
                    "from arrival",
                    own.at("/latency_from_arrival_ms/" + percentile).asDouble()));
            bars.add(bar(
                    percentile,
                    "storage",
                    summary.at("/storage_io_latency_ms/" + percentile).asDouble()));
        }
        return new Figure.Bars("Latencies of requests", "ms", bars);
    }

    private Figure bandwidths() {
        List<Figure.Bar> bars = new ArrayList<>();
        JsonNode stats = summary.path("cache_stats");
        for (Slot slot : Slot.values()) {
            bars.add(bar(
                    slot.toString(),
                    "read",
                    stats.path("tier_" + slot + "_read_bandwidth_gbps").asDouble()));
            bars.add(bar(
                    slot.toString(),
                    "write",
                    stats.path("tier_" + slot + "_write_bandwidth_gbps").asDouble()));
        }
        return new Figure.Bars("Bandwidth of tiers", "GiB/s", bars);
    }

    private static Figure.Bar bar(String group, String name, double value) {
        return new Figure.Bar(group, name, value, value, value);
    }
}
