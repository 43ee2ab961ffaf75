package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.SuiteReport.ReportedRun;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * {@code kvcache_run_summary.json} as mlcommons' harness writes it: bandwidths and throughputs are summed over the
 * ranks of a trial, and the mean of the trials is taken; of 95th percentiles the largest of all ranks and trials.
 * Stateless.
 */
final class MlperfSummary {
    private static final String STATS = "/cache_stats/";

    private MlperfSummary() {}

    /**
     * All of it.
     *
     * @param runs of each option, trial and rank; of some there may be none
     */
    static ObjectNode of(List<ReportedRun> runs, int ranks, int trials, String dateTime) {
        ObjectNode all = JsonNodeFactory.instance
                .objectNode()
                .put("schema_version", "1.0")
                .put("run_datetime", dateTime)
                .put("npernode", ranks)
                .put("host_count", 1)
                .put("total_ranks", ranks)
                .put("trials_per_option", trials);
        ObjectNode options = all.putObject("options");
        runs.stream()
                .collect(Collectors.groupingBy(ReportedRun::name, TreeMap::new, Collectors.toList()))
                .forEach((name, of) -> options.set(name, option(name, of, ranks, trials)));
        boolean partial = options.valueStream()
                .anyMatch(option -> option.path("partial_failure").asBoolean());
        return all.put("partial_failure", partial);
    }

    private static ObjectNode option(String name, List<ReportedRun> of, int ranks, int trials) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("option", Integer.parseInt(name))
                .put("aggregated_read_bandwidth_gbps", mean(of, STATS + "tier_storage_read_bandwidth_gbps"))
                .put("aggregated_write_bandwidth_gbps", mean(of, STATS + "tier_storage_write_bandwidth_gbps"))
                .put("aggregated_avg_throughput_tokens_per_sec", mean(of, "/avg_throughput_tokens_per_sec"))
                .put("aggregated_storage_throughput_tokens_per_sec", mean(of, "/storage_throughput_tokens_per_sec"))
                .put("aggregated_device_read_p95_ms", most(of, STATS + "storage_read_device_p95_ms"))
                .put("aggregated_device_write_p95_ms", most(of, STATS + "storage_write_device_p95_ms"))
                .put("rank_count", ranks)
                .put(
                        "trial_count",
                        of.stream().map(ReportedRun::trial).distinct().count());
        ArrayNode missing = JsonNodeFactory.instance.arrayNode();
        for (int trial = 1; trial <= trials; trial++) {
            int each = trial;
            long done = of.stream().filter(run -> run.trial() == each).count();
            for (long rank = done; rank < ranks; rank++) {
                missing.add("option_" + name + "/trial_" + trial + "/rank_" + rank);
            }
        }
        node.put("partial_failure", !missing.isEmpty()).set("missing_files", missing);
        ArrayNode inMemory = node.putArray("cpu_tier_ranks");
        of.stream()
                .filter(run -> run.summary().at(STATS + "storage_entries").asLong(1) == 0)
                .forEach(run -> inMemory.add(run.file()));
        return node;
    }

    /** Of the trials, each of which has the sum of its ranks. */
    private static double mean(List<ReportedRun> of, String pointer) {
        double sum = of.stream().mapToDouble(run -> run.figure(pointer)).sum();
        return sum / of.stream().map(ReportedRun::trial).distinct().count();
    }

    private static double most(List<ReportedRun> of, String pointer) {
        return of.stream().mapToDouble(run -> run.figure(pointer)).max().orElse(0);
    }
}
