package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
 * The page of a run: requests by outcome, their latencies, the bytes that tiers moved and hold, and the original's
 * assessment of storage.
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
            JsonRow.number("hold", "GiB", "/held_gb/NAME"),
            JsonRow.number("read", "GiB", "/tier_NAME_kv_bytes_read_gb"),
            JsonRow.number("written", "GiB", "/tier_NAME_kv_bytes_written_gb"),
            JsonRow.number("read", "GiB/s", "/tier_NAME_read_bandwidth_gbps"),
            JsonRow.number("written", "GiB/s", "/tier_NAME_write_bandwidth_gbps"));
    private static final List<Column<JsonNode>> RATES = List.of(
            JsonRow.fact("hit rate", "%", 100, "/cache_stats/cache_hit_rate"),
            JsonRow.fact("bytes read for each written", "", 1, "/cache_stats/read_write_ratio"),
            Column.of("an access takes, on average", "ms", KvCachePage::accessMillis),
            Column.of("tokens that the last tier moves for each token of an answer", KvCachePage::amplification),
            JsonRow.fact("tokens a second of storage time", "", 1, "/storage_throughput_tokens_per_sec"),
            JsonRow.fact("tokens a second of the run", "", 1, "/avg_throughput_tokens_per_sec"));
    private static final List<Column<JsonNode>> REUSE = List.of(
            JsonRow.fact("requests that begin with a shared prompt", "", 1, "/prefix_cache_stats/prefix_hits"),
            JsonRow.fact("other requests", "", 1, "/prefix_cache_stats/prefix_misses"),
            JsonRow.fact("reads of shared prompts that found them", "", 1, "/cache_stats/system_prompt_hits"),
            JsonRow.fact("prompt bytes shared", "MiB", 1.0 / (1 << 20), "/prefix_cache_stats/bytes_saved"),
            JsonRow.fact("earlier turns found", "", 1, "/multi_turn_stats/cache_hits"),
            JsonRow.fact("earlier turns missing", "", 1, "/multi_turn_stats/cache_misses"),
            JsonRow.fact("parts of documents found", "", 1, "/kvstore/chunks/found"),
            JsonRow.fact("parts of documents missing", "", 1, "/kvstore/chunks/missing"));
    private static final List<Column<JsonRow>> CRITERIA = List.of(
            JsonRow.name("criterion"),
            JsonRow.value("measured", "/actual"),
            JsonRow.value("target", "/target"),
            JsonRow.value("unit", "/unit"),
            Column.of("", row -> row.figures().path("passed").asBoolean() ? "passed" : "failed"));
    private static final List<Column<JsonNode>> BLOCKS = List.of(
            JsonRow.fact("tokens of a block", "", 1, "/block_tokens"),
            JsonRow.fact("prompts found whole", "", 1, "/prompts/found_whole"),
            JsonRow.fact("prompts found in part", "", 1, "/prompts/found_in_part"),
            JsonRow.fact("prompts not found", "", 1, "/prompts/not_found"),
            JsonRow.fact("tokens of prompts", "", 1, "/prompt_tokens"),
            JsonRow.fact("of them need no prefill", "%", 100, "/saved_prefill_share"));
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
            JsonRow.fact("longest queue", "", 1, "/queue/longest"),
            JsonRow.fact("mean queue", "", 1, "/queue/mean_length"),
            JsonRow.fact("oldest request waited at the end", "s", 1, "/queue/oldest_at_end_seconds"),
            JsonRow.fact("the benchmark's own share of the processors", "%", 100, "/client/cpu_share"),
            JsonRow.fact("its CPU time for a GB", "s", 1, "/client/cpu_seconds_per_gb"));

    private static final String SLOWER = " The storage is slower than the load: what was answered had arrived in the"
            + " warm-up, and does not count. Give fewer --num-users, or begin with --rates 0.1,0.2,0.5.";

    /** @param pointer in which {@code PERCENTILE} stands for a percentile's name */
    private static List<Column<JsonRow>> percentiles(String pointer) {
        return Stream.concat(
                        Stream.of(JsonRow.name("")),
                        Stream.of("p50", "p95", "p99")
                                .map(name -> JsonRow.number(name, "ms", pointer.replace("PERCENTILE", name))))
                .toList();
    }

    /** Milliseconds that a tier takes on average to read or write a whole entry; 0 without any. */
    static double accessMillis(JsonNode summary) {
        JsonNode accesses = summary.at("/kvstore/accesses");
        return 1e3
                * accesses.path("seconds").asDouble()
                / Math.max(1, accesses.path("count").asLong());
    }

    private static double amplification(JsonNode summary) {
        double tokens = Math.max(1, summary.path("total_tokens").asDouble());
        return summary.at("/cache_stats/storage_tokens_processed").asDouble() / tokens;
    }

    ReportPage page() {
        JsonNode summary = results.path("summary");
        JsonNode stats = summary.path("cache_stats");
        JsonNode own = summary.path("kvstore");
        long answered = results.path("requests_completed").asLong();
        long asked = own.path("max_requests").asLong();
        ScalingSection scaling = new ScalingSection(results);
        String sentence = Numbers.format(
                "KV cache over %s, counted %s, %.1f s: %s requests answered.%s%s",
                texts(own.path("tiers"), ", "),
                own.path("mode").asText(),
                own.path("window_seconds").asDouble(),
                answered < asked ? answered + " of the " + asked + " wanted" : Long.toString(answered),
                ScalingSection.answer(summary),
                answered > 0 ? "" : SLOWER);
        List<Section> sections = new ArrayList<>();
        Figure requests = table("", REQUESTS, Stream.of(QosClass.values()), own.path("requests"));
        sections.add(new Section("Requests", "", List.of(requests)));
        if (scaling.isThere()) {
            sections.add(scaling.section());
        }
        sections.add(new Section("Latencies", "", latencies(summary, own)));
        if (answered > 0) {
            ObjectNode figures = stats.<ObjectNode>deepCopy().set("held_gb", own.path("held_gb"));
            Figure tiers = table("", TIERS, Stream.of(Slot.values()), figures);
            String below = texts(own.path("services"), "; ");
            sections.add(new Section(
                    "Tiers",
                    below.isEmpty() ? "" : "Below the last tier: " + below + ".",
                    List.of(Figure.Table.facts("", RATES, summary), tiers)));
            sections.add(assessment(stats.path("storage_health")));
            List<Column<JsonNode>> reuse = REUSE.subList(0, own.has("chunks") ? REUSE.size() : REUSE.size() - 2);
            sections.add(new Section("Reuse", "", List.of(Figure.Table.facts("", reuse, summary))));
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

    private static String texts(JsonNode list, String between) {
        return list.valueStream().map(JsonNode::asText).collect(Collectors.joining(between));
    }

    private static Section assessment(JsonNode health) {
        String verdict =
                "%s, %d of %d criteria passed. The original has these criteria; rules of MLPerf Storage ask for none."
                        .formatted(
                                health.path("overall_status").asText(),
                                health.path("passed_count").asInt(),
                                health.path("total_count").asInt());
        List<JsonRow> rows = health.path("criteria")
                .valueStream()
                .map(criterion -> new JsonRow(criterion.path("name").asText(), criterion))
                .toList();
        return new Section("Storage performance assessment", verdict, List.of(Figure.Table.of("", CRITERIA, rows)));
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
                .filter(row -> row.figures().has("p50"))
                .toList();
        List<Figure.Bar> bars = new ArrayList<>();
        for (String percentile : List.of("p50", "p95", "p99")) {
            requests.forEach(row -> bars.add(Figure.Bar.of(
                    percentile, row.name(), row.figures().path(percentile).asDouble())));
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
