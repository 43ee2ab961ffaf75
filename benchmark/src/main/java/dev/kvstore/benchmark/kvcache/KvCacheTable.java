package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace;
import dev.kvstore.benchmark.kvcache.engine.RequestOutcome;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.workload.QosClass;
import dev.kvstore.benchmark.measure.TextLines;
import java.util.List;

/** A report as text. For one use. */
final class KvCacheTable {
    private final JsonNode summary;
    private final JsonNode own;
    private final JsonNode results;
    private final boolean empty;
    private final TextLines text = new TextLines();

    private KvCacheTable(KvCacheReport report) {
        this.empty = report.isEmpty();
        this.results = report.results();
        this.summary = results.path("summary");
        this.own = summary.path("kvstore");
    }

    static String of(KvCacheReport report) {
        KvCacheTable table = new KvCacheTable(report);
        table.write(report.flaws());
        return table.text.toString();
    }

    private void write(List<String> flaws) {
        text.line(
                "KV cache over %s, counted %s, %.1f s",
                tiers(own),
                own.path("mode").asText(),
                own.path("window_seconds").asDouble());
        text.line("");
        requests();
        latencies();
        if (!empty) {
            tiers();
            blocks();
        }
        device();
        validation();
        client();
        flaws.forEach(flaw -> text.line("%s", "FAILED: " + flaw));
    }

    static String tiers(JsonNode own) {
        StringBuilder names = new StringBuilder();
        own.path("tiers")
                .forEach(name -> names.append(names.isEmpty() ? "" : ", ").append(name.asText()));
        return names.toString();
    }

    private void requests() {
        text.line(
                "%-12s %9s %9s %9s %9s %9s %9s %14s",
                "requests", "offered", "completed", "late", "abandoned", "refused", "failed", "within target");
        for (QosClass qos : QosClass.values()) {
            JsonNode one = own.path("requests").path(qos.toString());
            StringBuilder row = new StringBuilder(
                    TextLines.format("%-12s %9d", qos, one.path("offered").asLong()));
            for (RequestOutcome outcome : RequestOutcome.values()) {
                row.append(TextLines.format(" %9d", one.path(outcome.toString()).asLong()));
            }
            row.append(TextLines.format(" %14d", one.path("within_target").asLong()));
            text.line("%s", row);
        }
        text.line("");
    }

    private void latencies() {
        text.line("%-34s %12s %12s %12s", "milliseconds", "p50", "p95", "p99");
        latency("from intended start, late ones too", own.path("latency_from_intended_start_ms"));
        latency("from arrival, late ones too", own.path("latency_from_arrival_ms"));
        latency("storage of one request", summary.path("storage_io_latency_ms"));
        JsonNode stats = summary.path("cache_stats");
        for (Slot slot : Slot.values()) {
            tierLatency(stats, slot + "_read");
            tierLatency(stats, slot + "_write");
        }
        tierLatency(stats, "storage_read_device");
        tierLatency(stats, "storage_write_device");
        text.line("");
    }

    private void latency(String name, JsonNode of) {
        if (of.has("p50")) {
            text.line(
                    "%-34s %12.2f %12.2f %12.2f",
                    name,
                    of.path("p50").asDouble(),
                    of.path("p95").asDouble(),
                    of.path("p99").asDouble());
        }
    }

    private void tierLatency(JsonNode stats, String name) {
        if (stats.has(name + "_p50_ms")) {
            text.line(
                    "%-34s %12.2f %12.2f %12.2f",
                    name.replace('_', ' '),
                    stats.path(name + "_p50_ms").asDouble(),
                    stats.path(name + "_p95_ms").asDouble(),
                    stats.path(name + "_p99_ms").asDouble());
        }
    }

    private void tiers() {
        JsonNode stats = summary.path("cache_stats");
        text.line(
                "%-10s %9s %12s %12s %14s %14s",
                "tier", "entries", "read GiB", "write GiB", "read GiB/s", "write GiB/s");
        for (Slot slot : Slot.values()) {
            String tier = "tier_" + slot;
            text.line(
                    "%-10s %9d %12.2f %12.2f %14.2f %14.2f",
                    slot,
                    stats.path(slot + "_entries").asLong(),
                    stats.path(tier + "_kv_bytes_read_gb").asDouble(),
                    stats.path(tier + "_kv_bytes_written_gb").asDouble(),
                    stats.path(tier + "_read_bandwidth_gbps").asDouble(),
                    stats.path(tier + "_write_bandwidth_gbps").asDouble());
        }
        text.line("");
        text.line(
                "hit rate %.1f %%, reads to writes %.1f : 1, %.0f tokens a second of storage time, %.0f a second of the run",
                100 * stats.path("cache_hit_rate").asDouble(),
                stats.path("read_write_ratio").asDouble(),
                summary.path("storage_throughput_tokens_per_sec").asDouble(),
                summary.path("avg_throughput_tokens_per_sec").asDouble());
    }

    private void blocks() {
        JsonNode blocks = own.path("blocks");
        if (blocks.isMissingNode()) {
            return;
        }
        JsonNode prompts = blocks.path("prompts");
        text.line(
                "blocks of %d tokens: of the prompts %d were found whole, %d in part, %d not; %.1f %% of %d tokens need no prefill",
                blocks.path("block_tokens").asInt(),
                prompts.path("found_whole").asLong(),
                prompts.path("found_in_part").asLong(),
                prompts.path("not_found").asLong(),
                100 * blocks.path("saved_prefill_share").asDouble(),
                blocks.path("prompt_tokens").asLong());
        JsonNode first = blocks.path("time_to_first_token_ms");
        firstToken("first token by model, with the cache", first.path("with_cache"));
        firstToken("first token by model, without it", first.path("without_cache"));
    }

    private void firstToken(String name, JsonNode of) {
        if (of.has("p50")) {
            text.line(
                    "%s: %.1f ms median, %.1f ms 95th percentile",
                    name, of.path("p50").asDouble(), of.path("p95").asDouble());
        }
    }

    private void device() {
        List<DeviceTrace.HistogramRow> rows =
                DeviceTrace.of(results.path("device_latency_tracing")).rows();
        if (rows.isEmpty()) {
            return;
        }
        text.line("");
        text.line("%-28s %12s %12s %12s %12s", "disk, by the kernel", "samples", "p50 from", "p95 from", "p99 from");
        for (DeviceTrace.HistogramRow row : rows) {
            text.line("%-28s %12d %12d %12d %12d", row.label(), row.samples(), row.p50(), row.p95(), row.p99());
        }
        text.line("");
    }

    private void validation() {
        results.path("validation")
                .path("comparison")
                .properties()
                .forEach(figure -> text.line(
                        "%s: %.3f here, %.3f in the trace, %.1f %% apart",
                        figure.getKey(),
                        figure.getValue().path("benchmark").asDouble(),
                        figure.getValue().path("trace").asDouble(),
                        figure.getValue().path("error_pct").asDouble()));
    }

    private void client() {
        JsonNode queue = own.path("queue");
        text.line(
                "queue: %d at most, %.1f on average; the oldest waited %.1f s at the end",
                queue.path("longest").asLong(),
                queue.path("mean_length").asDouble(),
                queue.path("oldest_at_end_seconds").asDouble());
        JsonNode client = own.path("client");
        text.line(
                "the benchmark itself used %.0f %% of the processors, %.2f CPU seconds for a GB",
                100 * client.path("cpu_share").asDouble(),
                client.path("cpu_seconds_per_gb").asDouble());
        if (client.path("was_the_limit").asBoolean()) {
            text.line("The processors were the limit: these are figures of the client, not of the tiers.");
        }
    }
}
