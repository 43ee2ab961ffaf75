package dev.kvstore.benchmark.kvcache.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@code kvcache_run_summary.json} as mlcommons' harness writes it: bandwidths and throughputs are summed over the
 * ranks of a trial, and the mean of the trials is taken; of 95th percentiles the largest of all ranks and trials. For
 * one thread.
 */
public final class MlperfSummary {
    private static final String READ = "tier_storage_read_bandwidth_gbps";
    private static final String WRITE = "tier_storage_write_bandwidth_gbps";

    private final int ranks;
    private final SortedMap<String, SortedMap<Integer, List<MlperfResult>>> options = new TreeMap<>();

    private record MlperfResult(JsonNode summary, String file) {}

    /** @param ranks of each trial */
    public MlperfSummary(int ranks) {
        this.ranks = ranks;
    }

    /** One rank's results: their {@code summary}. */
    public void add(String option, int trial, JsonNode summary, String file) {
        options.computeIfAbsent(option, _ -> new TreeMap<>())
                .computeIfAbsent(trial, _ -> new ArrayList<>())
                .add(new MlperfResult(summary, file));
    }

    /** All of it. */
    public ObjectNode json(String dateTime, int trials) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("schema_version", "1.0");
        all.put("run_datetime", dateTime);
        all.put("npernode", ranks);
        all.put("host_count", 1);
        all.put("total_ranks", ranks);
        all.put("trials_per_option", trials);
        ObjectNode each = all.putObject("options");
        boolean partial = false;
        for (Map.Entry<String, SortedMap<Integer, List<MlperfResult>>> option : options.entrySet()) {
            ObjectNode one = option(option.getKey(), option.getValue(), trials);
            partial |= one.path("partial_failure").asBoolean();
            each.set(option.getKey(), one);
        }
        all.put("partial_failure", partial);
        return all;
    }

    private ObjectNode option(String name, SortedMap<Integer, List<MlperfResult>> of, int trials) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("option", Integer.parseInt(name));
        node.put("aggregated_read_bandwidth_gbps", mean(of, "/cache_stats/" + READ));
        node.put("aggregated_write_bandwidth_gbps", mean(of, "/cache_stats/" + WRITE));
        node.put("aggregated_avg_throughput_tokens_per_sec", mean(of, "/avg_throughput_tokens_per_sec"));
        node.put("aggregated_storage_throughput_tokens_per_sec", mean(of, "/storage_throughput_tokens_per_sec"));
        node.put("aggregated_device_read_p95_ms", most(of, "/cache_stats/storage_read_device_p95_ms"));
        node.put("aggregated_device_write_p95_ms", most(of, "/cache_stats/storage_write_device_p95_ms"));
        node.put("rank_count", ranks);
        node.put("trial_count", of.size());
        ArrayNode missing = JsonNodeFactory.instance.arrayNode();
        for (int trial = 1; trial <= trials; trial++) {
            for (int rank = of.getOrDefault(trial, List.of()).size(); rank < ranks; rank++) {
                missing.add("option_" + name + "/trial_" + trial + "/rank_" + rank);
            }
        }
        node.put("partial_failure", !missing.isEmpty());
        node.set("missing_files", missing);
        ArrayNode inMemory = node.putArray("cpu_tier_ranks");
        of.values().stream()
                .flatMap(List::stream)
                .filter(result -> {
                    JsonNode entries = result.summary().at("/cache_stats/storage_entries");
                    return entries.isNumber() && entries.asLong() == 0;
                })
                .forEach(result -> inMemory.add(result.file()));
        return node;
    }

    private static double mean(SortedMap<Integer, List<MlperfResult>> of, String path) {
        return of.values().stream()
                .mapToDouble(ranks -> ranks.stream()
                        .mapToDouble(result -> result.summary().at(path).asDouble())
                        .sum())
                .average()
                .orElse(0);
    }

    private static double most(SortedMap<Integer, List<MlperfResult>> of, String path) {
        return of.values().stream()
                .flatMap(List::stream)
                .mapToDouble(result -> result.summary().at(path).asDouble())
                .max()
                .orElse(0);
    }
}
