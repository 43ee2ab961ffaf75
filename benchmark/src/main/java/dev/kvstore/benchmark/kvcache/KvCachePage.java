package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace.HistogramRow;
import dev.kvstore.benchmark.kvcache.engine.RequestOutcome;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.ReportPage.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The page of a run: requests by outcome, their latencies, and the bytes that tiers moved. */
final class KvCachePage {
    private static final List<Column<JsonRow>> REQUESTS = List.of(
            JsonRow.name("class"),
            JsonRow.number("offered", "", "/NAME/offered"),
            JsonRow.number("completed", "", "/NAME/completed"),
            JsonRow.number("late", "", "/NAME/late"),
            JsonRow.number("abandoned", "", "/NAME/abandoned"),
            JsonRow.number("refused", "", "/NAME/refused"),
            JsonRow.number("failed", "", "/NAME/failed"),
            JsonRow.number("within target", "", "/NAME/within_target"));

    private static final List<Column<JsonRow>> LATENCIES = List.of(
            JsonRow.name(""),
            JsonRow.number("p50", "ms", "/p50"),
            JsonRow.number("p95", "ms", "/p95"),
            JsonRow.number("p99", "ms", "/p99"));

    private static final List<Column<JsonRow>> TIER_LATENCIES = List.of(
            Column.of("", row -> row.name().replace('_', ' ')),
            JsonRow.number("p50", "ms", "/NAME_p50_ms"),
            JsonRow.number("p95", "ms", "/NAME_p95_ms"),
            JsonRow.number("p99", "ms", "/NAME_p99_ms"));

    private static final List<Column<JsonRow>> TIERS = List.of(
            JsonRow.name("tier"),
            JsonRow.number("entries", "", "/NAME_entries"),
            JsonRow.number("read", "GiB", "/tier_NAME_kv_bytes_read_gb"),
            JsonRow.number("written", "GiB", "/tier_NAME_kv_bytes_written_gb"),
            JsonRow.number("read", "GiB/s", "/tier_NAME_read_bandwidth_gbps"),
            JsonRow.number("written", "GiB/s", "/tier_NAME_write_bandwidth_gbps"));

    private static final List<Column<JsonNode>> RATES = List.of(
            number("hit rate", "%", 100, "/cache_stats/cache_hit_rate"),
            number("bytes read for each written", "", 1, "/cache_stats/read_write_ratio"),
            number("tokens a second of storage time", "", 1, "/storage_throughput_tokens_per_sec"),
            number("tokens a second of the run", "", 1, "/avg_throughput_tokens_per_sec"));

    private static final List<Column<JsonNode>> BLOCKS = List.of(
            number("tokens of a block", "", 1, "/block_tokens"),
            number("prompts found whole", "", 1, "/prompts/found_whole"),
            number("prompts found in part", "", 1, "/prompts/found_in_part"),
            number("prompts not found", "", 1, "/prompts/not_found"),
            number("tokens of prompts", "", 1, "/prompt_tokens"),
            number("of them need no prefill", "%", 100, "/saved_prefill_share"));

    private static final List<Column<HistogramRow>> DISK = List.of(
            Column.of("", HistogramRow::label),
            Column.of("samples", HistogramRow::samples),
            Column.of("p50 from", HistogramRow::p50),
            Column.of("p95 from", HistogramRow::p95),
            Column.of("p99 from", HistogramRow::p99));

    private static final List<Column<JsonRow>> VALIDATION = List.of(
            JsonRow.name(""),
            JsonRow.number("here", "", "/benchmark"),
            JsonRow.number("in the trace", "", "/trace"),
            JsonRow.number("apart", "%", "/error_pct"));

    private static final List<Column<JsonNode>> CLIENT = List.of(
            number("longest queue", "", 1, "/queue/longest"),
            number("mean queue", "", 1, "/queue/mean_length"),
            number("oldest request waited at the end", "s", 1, "/queue/oldest_at_end_seconds"),
            number("the benchmark's own share of the processors", "%", 100, "/client/cpu_share"),
            number("its CPU time for a GB", "s", 1, "/client/cpu_seconds_per_gb"));

    private final JsonNode results;
    private final JsonNode summary;
    private final JsonNode stats;
    private final JsonNode own;

    private KvCachePage(JsonNode results) {
        this.results = results;
        this.summary = results.path("summary");
        this.stats = summary.path("cache_stats");
        this.own = summary.path("kvstore");
    }

    /** @param results the original's JSON */
    static ReportPage of(JsonNode results) {
        return new KvCachePage(results).page();
    }

    private ReportPage page() {
        boolean answered = results.path("requests_completed").asLong() > 0;
        String tiers = String.join(
                ", ", own.path("tiers").valueStream().map(JsonNode::asText).toList());
        String sentence = String.format(
                Locale.ROOT,
                "KV cache over %s, counted %s, %.1f s: %d requests answered.",
                tiers,
                own.path("mode").asText(),
                own.path("window_seconds").asDouble(),
                results.path("requests_completed").asLong());
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("Requests", "", List.of(outcomes(), requests())));
        sections.add(new Section("Latencies", "", latencies()));
        if (answered) {
            sections.add(new Section(
                    "Tiers",
                    "",
                    List.of(Figure.Table.facts("", RATES, summary), bandwidths(), table("", TIERS, slots(""), stats))));
        }
        if (answered && own.has("blocks")) {
            sections.add(new Section("Blocks", "", blocks(own.path("blocks"))));
        }
        addIfAny(sections, "The disk, by the kernel", Figure.Table.of("", DISK, disk()));
        addIfAny(
                sections,
                "Beside the validation trace",
                Figure.Table.of("", VALIDATION, rows(results.at("/validation/comparison"))));
        String limit = own.at("/client/was_the_limit").asBoolean()
                ? "The processors were the limit: these are figures of the client, not of the tiers."
                : "";
        sections.add(new Section("The benchmark itself", limit, List.of(Figure.Table.facts("", CLIENT, own))));
        return new ReportPage("KV cache", sentence, sections);
    }

    private static Column<JsonNode> number(String name, String unit, int factor, String pointer) {
        return Column.of(name, unit, json -> factor * json.at(pointer).asDouble());
    }

    private static void addIfAny(List<Section> sections, String heading, Figure.Table table) {
        if (!table.rows().isEmpty()) {
            sections.add(new Section(heading, "", List.of(table)));
        }
    }

    private static List<JsonRow> rows(JsonNode object) {
        return object.propertyStream()
                .map(entry -> new JsonRow(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Figure table(String caption, List<Column<JsonRow>> columns, Stream<String> names, JsonNode figures) {
        return Figure.Table.of(
                caption, columns, names.map(name -> new JsonRow(name, figures)).toList());
    }

    private static Stream<String> slots(String suffix) {
        return Arrays.stream(Slot.values()).map(slot -> slot + suffix);
    }

    private Figure requests() {
        Stream<String> classes = Arrays.stream(QosClass.values()).map(QosClass::toString);
        return table("", REQUESTS, classes, own.path("requests"));
    }

    private Figure outcomes() {
        List<Figure.Bar> bars = new ArrayList<>();
        for (QosClass qos : QosClass.values()) {
            for (RequestOutcome outcome : RequestOutcome.values()) {
                String pointer = "/requests/" + qos + "/" + outcome;
                bars.add(Figure.Bar.of(
                        qos.toString(), outcome.toString(), own.at(pointer).asDouble()));
            }
        }
        return new Figure.Bars("What became of requests of the window", "requests", bars);
    }

    private List<Figure> latencies() {
        List<JsonRow> requests = Stream.of(
                        new JsonRow("from intended start, late ones too", own.path("latency_from_intended_start_ms")),
                        new JsonRow("from arrival, late ones too", own.path("latency_from_arrival_ms")),
                        new JsonRow("storage of one request", summary.path("storage_io_latency_ms")))
                .filter(row -> row.figures().has("p50"))
                .toList();
        List<Figure.Bar> bars = new ArrayList<>();
        for (String percentile : List.of("p50", "p95", "p99")) {
            requests.forEach(row -> bars.add(Figure.Bar.of(
                    percentile, row.name(), row.figures().path(percentile).asDouble())));
        }
        Stream<String> tiers = Stream.of(
                        slots("_read"), slots("_write"), Stream.of("storage_read_device", "storage_write_device"))
                .flatMap(names -> names)
                .filter(name -> stats.has(name + "_p50_ms"));
        return List.of(
                new Figure.Bars("Latencies of requests", "ms", bars),
                Figure.Table.of("Requests", LATENCIES, requests),
                table("Accesses of tiers", TIER_LATENCIES, tiers, stats));
    }

    private Figure bandwidths() {
        List<Figure.Bar> bars = new ArrayList<>();
        for (Slot slot : Slot.values()) {
            for (String way : List.of("read", "write")) {
                double rate = stats.path("tier_" + slot + "_" + way + "_bandwidth_gbps")
                        .asDouble();
                bars.add(Figure.Bar.of(slot.toString(), way, rate));
            }
        }
        return new Figure.Bars("Bandwidth of tiers", "GiB/s", bars);
    }

    private static List<Figure> blocks(JsonNode blocks) {
        JsonNode first = blocks.path("time_to_first_token_ms");
        List<JsonRow> rows = List.of(
                new JsonRow("with the cache", first.path("with_cache")),
                new JsonRow("without it", first.path("without_cache")));
        return List.of(
                Figure.Table.facts("Prompts", BLOCKS, blocks),
                Figure.Table.of("First token, by the model of a GPU", LATENCIES, rows));
    }

    private List<HistogramRow> disk() {
        return DeviceTrace.of(results.path("device_latency_tracing")).rows();
    }
}
