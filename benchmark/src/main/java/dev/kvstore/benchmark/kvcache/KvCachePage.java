package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace.HistogramRow;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.report.ReportPage.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The page of a run: requests by outcome, their latencies, and the bytes that tiers moved.
 *
 * @param results the original's JSON
 */
record KvCachePage(JsonNode results) {
    private static final List<Column<JsonRow>> REQUESTS = List.of(
            JsonRow.name("class"),
            JsonRow.number("offered", "", "/NAME/offered"),
            JsonRow.number("completed", "", "/NAME/completed"),
            JsonRow.number("late", "", "/NAME/late"),
            JsonRow.number("abandoned", "", "/NAME/abandoned"),
            JsonRow.number("refused", "", "/NAME/refused"),
            JsonRow.number("failed", "", "/NAME/failed"),
            JsonRow.number("within target", "", "/NAME/within_target"));
    private static final List<Column<JsonRow>> LATENCIES = percentiles("/PERCENTILE");
    private static final List<Column<JsonRow>> TIER_LATENCIES = percentiles("/NAME_PERCENTILE_ms");
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

    /** Figures of a table's row. */
    private record JsonRow(String name, JsonNode figures) {
        private static Column<JsonRow> name(String heading) {
            return Column.of(heading, row -> row.name.replace('_', ' '));
        }

        /** @param pointer to a number, which may be missing; in it {@code NAME} stands for the row's name */
        private static Column<JsonRow> number(String heading, String unit, String pointer) {
            return Column.of(
                    heading,
                    unit,
                    row -> row.figures.at(pointer.replace("NAME", row.name)).numberValue());
        }
    }

    /** @param pointer in which {@code PERCENTILE} stands for a percentile's name */
    private static List<Column<JsonRow>> percentiles(String pointer) {
        return Stream.concat(
                        Stream.of(JsonRow.name("")),
                        Stream.of("p50", "p95", "p99")
                                .map(name -> JsonRow.number(name, "ms", pointer.replace("PERCENTILE", name))))
                .toList();
    }

    private static Column<JsonNode> number(String name, String unit, int factor, String pointer) {
        return Column.of(name, unit, json -> factor * json.at(pointer).asDouble());
    }

    ReportPage page() {
        JsonNode summary = results.path("summary");
        JsonNode stats = summary.path("cache_stats");
        JsonNode own = summary.path("kvstore");
        long answered = results.path("requests_completed").asLong();
        String sentence = Numbers.format(
                "KV cache over %s, counted %s, %.1f s: %d requests answered.",
                own.path("tiers").valueStream().map(JsonNode::asText).collect(Collectors.joining(", ")),
                own.path("mode").asText(),
                own.path("window_seconds").asDouble(),
                answered);
        List<Section> sections = new ArrayList<>();
        Figure requests = table("", REQUESTS, Stream.of(QosClass.values()), own.path("requests"));
        sections.add(new Section("Requests", "", List.of(requests)));
        sections.add(new Section("Latencies", "", latencies(summary, own)));
        if (answered > 0) {
            Figure tiers = table("", TIERS, Stream.of(Slot.values()), stats);
            sections.add(new Section("Tiers", "", List.of(Figure.Table.facts("", RATES, summary), tiers)));
        }
        if (answered > 0 && own.has("blocks")) {
            sections.add(new Section("Blocks", "", blocks(own.path("blocks"))));
        }
        List<HistogramRow> disk =
                DeviceTrace.of(results.path("device_latency_tracing")).rows();
        if (!disk.isEmpty()) {
            sections.add(new Section("The disk, by the kernel", "", List.of(Figure.Table.of("", DISK, disk))));
        }
        List<JsonRow> validation = results.at("/validation/comparison")
                .propertyStream()
                .map(entry -> new JsonRow(entry.getKey(), entry.getValue()))
                .toList();
        if (!validation.isEmpty()) {
            Figure table = Figure.Table.of("", VALIDATION, validation);
            sections.add(new Section("Beside the validation trace", "", List.of(table)));
        }
        String limit = own.at("/client/was_the_limit").asBoolean()
                ? "The processors were the limit: these are figures of the client, not of the tiers."
                : "";
        sections.add(new Section("The benchmark itself", limit, List.of(Figure.Table.facts("", CLIENT, own))));
        return new ReportPage("KV cache", sentence, sections);
    }

    private static Figure table(String caption, List<Column<JsonRow>> columns, Stream<?> names, JsonNode figures) {
        return Figure.Table.of(
                caption,
                columns,
                names.map(name -> new JsonRow(name.toString(), figures)).toList());
    }

    private static List<Figure> latencies(JsonNode summary, JsonNode own) {
        List<JsonRow> requests = Stream.of(
                        new JsonRow("from intended start, late ones too", own.path("latency_from_intended_start_ms")),
                        new JsonRow("from arrival, late ones too", own.path("latency_from_arrival_ms")),
                        new JsonRow("storage of one request", summary.path("storage_io_latency_ms")))
                .filter(row -> row.figures.has("p50"))
                .toList();
        List<Figure.Bar> bars = new ArrayList<>();
        for (String percentile : List.of("p50", "p95", "p99")) {
            requests.forEach(row -> bars.add(Figure.Bar.of(
                    percentile, row.name, row.figures.path(percentile).asDouble())));
        }
        JsonNode stats = summary.path("cache_stats");
        Stream<String> tiers = Stream.of("read", "write", "read_device", "write_device")
                .flatMap(way -> Stream.of(Slot.values()).map(slot -> slot + "_" + way))
                .filter(name -> stats.has(name + "_p50_ms"));
        return List.of(
                new Figure.Bars("Latencies of requests", "ms", bars),
                Figure.Table.of("Requests", LATENCIES, requests),
                table("Accesses of tiers", TIER_LATENCIES, tiers, stats));
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
}
