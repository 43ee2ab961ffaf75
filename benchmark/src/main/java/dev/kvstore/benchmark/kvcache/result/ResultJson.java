package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.QosTarget;
import dev.kvstore.benchmark.kvcache.engine.Autoscaler;
import dev.kvstore.benchmark.kvcache.engine.DurationSamples;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.RunFigures;
import dev.kvstore.benchmark.kvcache.engine.RunPlan;
import dev.kvstore.benchmark.kvcache.engine.Scaling;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as the original writes it: the same keys in the same order, and none that it leaves out. Times are seconds
 * unless the name says ms. Stateless.
 */
public final class ResultJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final double MILLIS = 1e3;
    private static final double[] PERCENTILES = {50, 95, 99, 99.9, 99.99};
    private static final String[] PERCENTILE_NAMES = {"p50", "p95", "p99", "p999", "p9999"};

    private ResultJson() {}

    /**
     * The facts about the run that the figures do not have.
     *
     * @param seed null if none was given
     * @param throughput whether storage is judged by throughput, not by latency
     * @param tiers by the names that {@code --tiers} takes
     * @param services below them, for people
     * @param blocks null unless prompts are cut into blocks
     */
    public record ResultSetting(
            @Nullable Long seed,
            RunPlan plan,
            boolean throughput,
            List<String> tiers,
            List<String> services,
            @Nullable BlockSetting blocks) {}

    /**
     * How prompts are cut.
     *
     * @param bytes of a block
     * @param prefillTokensPerSecond that a GPU computes
     */
    public record BlockSetting(int tokens, long bytes, double prefillTokensPerSecond) {}

    /**
     * All of it; without requests that were answered there is no summary but what the original does not have.
     *
     * @param cache as it was left
     */
    public static ObjectNode of(RunFigures figures, ResultSetting setting, TieredCache cache) {
        Ledger ledger = figures.ledger();
        Scaling.Figures scaling = figures.scaling();
        ObjectNode all = NODES.objectNode();
        all.put("requests_completed", ledger.endToEnd.count());
        all.put("total_tokens_generated", ledger.tokens.sum());
        all.put("total_storage_io_latency", ledger.storage.sum());
        all.put("total_generation_latency", ledger.generation.sum());
        putList(all, "end_to_end_latencies", ledger.endToEnd);
        putList(all, "storage_latencies", ledger.storage);
        putList(all, "generation_latencies", ledger.generation);
        ArrayNode timeline = all.putArray("throughput_timeline");
        if (scaling != null) {
            scaling.timeline()
                    .forEach(point -> timeline.addObject()
                            .put("timestamp", point.seconds())
                            .put("throughput_tokens_per_sec", point.throughput()));
        }
        putList(all, "prefill_latencies", ledger.prefill);
        putList(all, "decode_latencies", ledger.decode);
        all.put("multi_turn_cache_hits", ledger.turnHits.sum());
        all.put("multi_turn_cache_misses", ledger.turnMisses.sum());
        all.put("seed", setting.seed());
        ObjectNode summary = all.putObject("summary");
        if (ledger.endToEnd.count() > 0) {
            putSummary(summary, figures, setting, cache);
        }
        summary.set("kvstore", OwnFigures.of(figures, setting, cache));
        return all;
    }

    private static void putList(ObjectNode to, String name, DurationSamples samples) {
        Arrays.stream(samples.values()).forEach(to.putArray(name)::add);
    }

    private static void putSummary(ObjectNode summary, RunFigures figures, ResultSetting setting, TieredCache cache) {
        Ledger ledger = figures.ledger();
        long requests = ledger.endToEnd.count();
        long tokens = ledger.tokens.sum();
        double io = ledger.storage.sum();
        summary.put("total_requests", requests);
        summary.put("total_tokens", tokens);
        summary.put("elapsed_time", figures.seconds());
        summary.put("avg_throughput_tokens_per_sec", tokens / figures.seconds());
        summary.put("total_storage_io_time", io);
        summary.put("storage_throughput_tokens_per_sec", io > 0 ? tokens / io : 0);
        summary.put("requests_per_second", requests / figures.seconds());
        summary.set("end_to_end_latency_ms", latencies(ledger.endToEnd));
        summary.set("storage_io_latency_ms", latencies(ledger.storage));
        summary.set("generation_latency_ms", latencies(ledger.generation));
        summary.set("cache_stats", CacheStats.of(ledger, cache, figures.seconds(), setting.throughput()));
        ObjectNode classes = summary.putObject("qos_metrics");
        for (QosClass qos : QosClass.values()) {
            putClass(
                    classes.putObject(qos.toString()),
                    ledger.of(qos),
                    setting.plan().config().target(qos));
        }
        ObjectNode prefixes = summary.putObject("prefix_cache_stats");
        if (setting.plan().prefixes()) {
            prefixes.put("prefix_hits", ledger.prefixHits.sum())
                    .put("prefix_misses", ledger.prefixMisses.sum())
                    .put("system_prompt_reuse", ledger.prefixHits.sum())
                    .put("common_phrase_reuse", 0)
                    .put("bytes_saved", ledger.prefixBytesSaved.sum());
        }
        putScaling(summary, figures.scaling());
        long hits = ledger.turnHits.sum();
        long misses = ledger.turnMisses.sum();
        summary.putObject("multi_turn_stats")
                .put("cache_hits", hits)
                .put("cache_misses", misses)
                .put("hit_rate", (double) hits / Math.max(hits + misses, 1));
    }

    private static void putScaling(ObjectNode summary, Scaling.@Nullable Figures scaling) {
        ArrayNode list = summary.putArray("autoscaling_stats");
        if (scaling == null) {
            summary.putNull("autoscaling_summary");
            return;
        }
        Autoscaler.CapacitySearch capacity = scaling.scaler() instanceof Autoscaler.CapacitySearch given ? given : null;
        for (Scaling.ScalingEvent event : scaling.events()) {
            ObjectNode node = list.addObject()
                    .put("timestamp", event.at().toString())
                    .put("mode", capacity == null ? "qos" : "capacity")
                    .put("action", event.action().toString())
                    .put("users", event.users())
                    .put("saturation_level", event.saturation());
            if (capacity != null && event.action() == Autoscaler.ScaleAction.STOP) {
                node.put("peak_throughput_tokens_per_sec", capacity.peak());
            } else {
                node.put("read_latency_p95_ms", known(event.readP95Millis()))
                        .put("write_latency_p95_ms", known(event.writeP95Millis()))
                        .put("throughput_tokens_per_sec", event.throughput());
            }
        }
        ObjectNode node = summary.putObject("autoscaling_summary")
                .put("initial_users", scaling.initialUsers())
                .put("final_users", scaling.finalUsers())
                .put("total_scale_events", scaling.events().size());
        if (capacity != null) {
            node.put("peak_user_count", capacity.peakUsers()).put("peak_throughput_tokens_per_sec", capacity.peak());
        }
    }

    private static @Nullable Double known(double value) {
        return Double.isNaN(value) ? null : value;
    }

    /** Mean and percentiles in milliseconds; none if there are no samples. */
    static ObjectNode latencies(DurationSamples samples) {
        ObjectNode node = NODES.objectNode();
        if (samples.count() > 0) {
            node.put("mean", DurationSamples.mean(samples.values()) * MILLIS);
        }
        putPercentiles(node, "", "", samples);
        return node;
    }

    /** Adds percentiles in milliseconds; none if there are no samples. */
    static void putPercentiles(ObjectNode node, String before, String behind, DurationSamples samples) {
        double[] sorted = samples.values();
        Arrays.sort(sorted);
        for (int i = 0; i < PERCENTILES.length && sorted.length > 0; i++) {
            double seconds = DurationSamples.percentile(sorted, PERCENTILES[i]);
            node.put(before + PERCENTILE_NAMES[i] + behind, seconds * MILLIS);
        }
    }

    private static void putClass(ObjectNode node, DurationSamples samples, QosTarget target) {
        double[] millis =
                Arrays.stream(samples.values()).map(value -> value * MILLIS).toArray();
        if (millis.length == 0) {
            node.put("no_data", true);
            return;
        }
        long violations = Arrays.stream(millis)
                .filter(value -> value > target.p95Millis())
                .count();
        double compliance = 1.0 - (double) violations / millis.length;
        node.put("total_requests", samples.count());
        node.putObject("latency_ms")
                .put("mean", DurationSamples.mean(millis))
                .put("p50", DurationSamples.percentile(millis, 50))
                .put("p95", DurationSamples.percentile(millis, 95))
                .put("p99", DurationSamples.percentile(millis, 99))
                .put("max", Arrays.stream(millis).max().orElse(0));
        node.putObject("sla")
                .put("target_p95_ms", target.p95Millis())
                .put("actual_p95_ms", DurationSamples.percentile(millis, 95))
                .put("compliance", compliance)
                .put("met", compliance >= QosTarget.MET);
    }
}
