package dev.kvstore.benchmark.kvcache.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The names of the original's spreadsheet, and where their figures are in the {@code summary} of its JSON. */
final class SpreadsheetMetrics {
    private static final Map<String, String> PERCENTILES =
            ordered("P50", "p50", "P95", "p95", "P99", "p99", "P99.9", "p999", "P99.99", "p9999");

    /** In the order of its columns. */
    static final Map<String, String> ALL = all();

    private SpreadsheetMetrics() {}

    private static Map<String, String> ordered(String... pairs) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return Collections.unmodifiableMap(map);
    }

    private static Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>(ordered(
                "Total Requests", "/total_requests",
                "Total Tokens", "/total_tokens",
                "Elapsed Time (s)", "/elapsed_time",
                "Avg Throughput (tok/s)", "/avg_throughput_tokens_per_sec",
                "Storage Throughput (tok/s)", "/storage_throughput_tokens_per_sec",
                "Requests/sec", "/requests_per_second"));
        latency(all, "E2E Latency", "/end_to_end_latency_ms/", 5);
        latency(all, "Storage Latency", "/storage_io_latency_ms/", 5);
        latency(all, "Gen Latency", "/generation_latency_ms/", 3);
        tier(all, "Total", "");
        tier(all, "Device", "device_");
        tier(all, "Host", "host_");
        all.putAll(ordered(
                "Cache Hit Rate", "/cache_stats/cache_hit_rate",
                "Read/Write Ratio", "/cache_stats/read_write_ratio",
                "Total Read (GiB)", "/cache_stats/total_read_gb",
                "Total Write (GiB)", "/cache_stats/total_write_gb"));
        Map<String, String> tiers = ordered("GPU", "gpu", "CPU", "cpu", "Storage", "storage");
        tiers.forEach((title, name) -> all.put(
                "Tier " + title + " KV Bytes Written (GiB)", "/cache_stats/tier_" + name + "_kv_bytes_written_gb"));
        tiers.forEach((title, name) ->
                all.put("Tier " + title + " KV Bytes Read (GiB)", "/cache_stats/tier_" + name + "_kv_bytes_read_gb"));
        tiers.forEach((title, name) -> {
            all.put("Tier " + title + " Read Bandwidth (GiB/s)", "/cache_stats/tier_" + name + "_read_bandwidth_gbps");
            all.put(
                    "Tier " + title + " Write Bandwidth (GiB/s)",
                    "/cache_stats/tier_" + name + "_write_bandwidth_gbps");
        });
        tiers.forEach((title, name) -> all.put(title + " Entries", "/cache_stats/" + name + "_entries"));
        all.put("Multi-turn Hit Rate", "/multi_turn_stats/hit_rate");
        return Collections.unmodifiableMap(all);
    }

    private static void latency(Map<String, String> all, String title, String path, int percentiles) {
        all.put(title + " Mean (ms)", path + "mean");
        PERCENTILES.entrySet().stream()
                .limit(percentiles)
                .forEach(one -> all.put(title + " " + one.getKey() + " (ms)", path + one.getValue()));
    }

    private static void tier(Map<String, String> all, String title, String name) {
        for (String operation : new String[] {"Read", "Write"}) {
            String path = "/cache_stats/storage_" + operation.toLowerCase(Locale.ROOT) + "_" + name;
            PERCENTILES.forEach((percentile, key) -> all.put(
                    "Storage Tier " + operation + " " + title + " " + percentile + " (ms)", path + key + "_ms"));
        }
    }
}
