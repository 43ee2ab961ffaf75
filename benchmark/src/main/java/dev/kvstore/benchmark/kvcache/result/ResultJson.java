package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.QosTarget;
import dev.kvstore.benchmark.kvcache.engine.Autoscaler;
import dev.kvstore.benchmark.kvcache.engine.DurationSamples;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.NumpyStatistics;
import dev.kvstore.benchmark.kvcache.engine.RunFigures;
import dev.kvstore.benchmark.kvcache.engine.Scaling;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A run as the original writes it: the same keys in the same order, and none that it leaves out. Times are seconds
 * unless the name says ms.
 */
public final class ResultJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final double MILLIS = 1e3;
    private static final double[] PERCENTILES = {50, 95, 99, 99.9, 99.99};
    private static final String[] PERCENTILE_NAMES = {"p50", "p95", "p99", "p999", "p9999"};

    private final RunFigures figures;
    private final Ledger ledger;
    private final ResultSetting setting;
    private final TieredCache cache;

    /**
     * The facts about the run that the figures do not have.
     *
     * @param seed null if none was given
     * @param honest whether it was not counted as the original counts
     * @param prefixes whether shared prompts were looked for
     * @param throughput whether storage is judged by throughput, not by latency
     * @param tiers by the names that {@code --tiers} takes
     * @param services below them, for people
     * @param blocks null unless prompts are cut into blocks
     */
    public record ResultSetting(
            @Nullable Long seed,
            boolean honest,
            boolean prefixes,
            boolean throughput,
            Function<QosClass, QosTarget> targets,
            List<String> tiers,
            List<String> services,
            Duration warmUp,
            @Nullable BlockSetting blocks) {}

    /**
     * How prompts are cut.
     *
     * @param bytes of a block
     * @param prefillTokensPerSecond that a GPU computes
     */
    public record BlockSetting(int tokens, long bytes, double prefillTokensPerSecond) {}

    private ResultJson(RunFigures figures, ResultSetting setting, TieredCache cache) {
        this.figures = figures;
        this.ledger = figures.ledger();
        this.setting = setting;
        this.cache = cache;
    }

    /**
     * All of it; without requests that were answered there is no summary but what the original does not have.
     *
     * @param cache as it was left
     */
    public static ObjectNode of(RunFigures figures, ResultSetting setting, TieredCache cache) {
        return new ResultJson(figures, setting, cache).all();
    }

    private ObjectNode all() {
        ObjectNode all = NODES.objectNode();
        all.put("requests_completed", ledger.endToEnd.count());
        all.put("total_tokens_generated", ledger.tokens.sum());
        all.put("total_storage_io_latency", ledger.storage.sum());
        all.put("total_generation_latency", ledger.generation.sum());
        all.set("end_to_end_latencies", list(ledger.endToEnd));
        all.set("storage_latencies", list(ledger.storage));
        all.set("generation_latencies", list(ledger.generation));
        all.set("throughput_timeline", timeline());
        all.set("prefill_latencies", list(ledger.prefill));
        all.set("decode_latencies", list(ledger.decode));
        all.put("multi_turn_cache_hits", ledger.turnHits.sum());
        all.put("multi_turn_cache_misses", ledger.turnMisses.sum());
        all.put("seed", setting.seed());
        ObjectNode summary = ledger.endToEnd.count() == 0 ? NODES.objectNode() : summary();
        summary.set("kvstore", OwnFigures.of(figures, setting));
        all.set("summary", summary);
        return all;
    }

    private ArrayNode timeline() {
        ArrayNode list = NODES.arrayNode();
        if (figures.scaling() != null) {
            for (Scaling.ScalingPoint point : figures.scaling().timeline()) {
                list.addObject().put("timestamp", point.seconds()).put("throughput_tokens_per_sec", point.throughput());
            }
        }
        return list;
    }

    private ArrayNode scalingEvents() {
        ArrayNode list = NODES.arrayNode();
        if (figures.scaling() == null) {
            return list;
        }
        for (Scaling.ScalingEvent event : figures.scaling().events()) {
            ObjectNode node = list.addObject();
            node.put("timestamp", event.at().toString());
            node.put("mode", figures.scaling().mode());
            node.put("action", event.action().toString());
            node.put("users", event.users());
            node.put("saturation_level", event.saturation());
            if (event.action() == Autoscaler.ScaleAction.STOP) {
                node.put("peak_throughput_tokens_per_sec", figures.scaling().peakThroughput());
            } else {
                node.put("read_latency_p95_ms", known(event.readP95Millis()));
                node.put("write_latency_p95_ms", known(event.writeP95Millis()));
                node.put("throughput_tokens_per_sec", event.throughput());
            }
        }
        return list;
    }

    private static @Nullable Double known(double value) {
        return Double.isNaN(value) ? null : value;
    }

    private @Nullable ObjectNode scalingSummary() {
        Scaling.Figures scaling = figures.scaling();
        if (scaling == null) {
            return null;
        }
        ObjectNode node = NODES.objectNode();
        node.put("initial_users", scaling.initialUsers());
        node.put("final_users", scaling.finalUsers());
        node.put("total_scale_events", scaling.events().size());
        if (scaling.mode().equals("capacity")) {
            node.put("peak_user_count", scaling.peakUsers());
            node.put("peak_throughput_tokens_per_sec", scaling.peakThroughput());
        }
        return node;
    }

    private static ArrayNode list(DurationSamples samples) {
        ArrayNode list = NODES.arrayNode();
        for (double value : samples.values()) {
            list.add(value);
        }
        return list;
    }

    private ObjectNode summary() {
        long requests = ledger.endToEnd.count();
        long tokens = ledger.tokens.sum();
        double io = ledger.storage.sum();
        ObjectNode summary = NODES.objectNode();
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
        summary.set("qos_metrics", qos());
        summary.set("prefix_cache_stats", setting.prefixes() ? prefixes() : NODES.objectNode());
        summary.set("autoscaling_stats", scalingEvents());
        summary.set("autoscaling_summary", scalingSummary());
        summary.set("multi_turn_stats", turns());
        return summary;
    }

    /** Mean and percentiles in milliseconds. */
    public static ObjectNode latencies(DurationSamples samples) {
        ObjectNode node = NODES.objectNode();
        double[] sorted = samples.values();
        if (sorted.length == 0) {
            return node;
        }
        node.put("mean", samples.mean() * MILLIS);
        putPercentiles(node, "", "", sorted);
        return node;
    }

    /** Adds percentiles in milliseconds; none if there are no values. */
    static void putPercentiles(ObjectNode node, String before, String behind, double[] values) {
        if (values.length == 0) {
            return;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < PERCENTILES.length; i++) {
            node.put(
                    before + PERCENTILE_NAMES[i] + behind, NumpyStatistics.percentile(sorted, PERCENTILES[i]) * MILLIS);
        }
    }

    private ObjectNode qos() {
        ObjectNode all = NODES.objectNode();
        for (QosClass qos : QosClass.values()) {
            all.set(qos.toString(), qos(ledger.of(qos), setting.targets().apply(qos)));
        }
        return all;
    }

    private static ObjectNode qos(DurationSamples samples, QosTarget target) {
        ObjectNode node = NODES.objectNode();
        double[] millis =
                Arrays.stream(samples.values()).map(value -> value * MILLIS).toArray();
        if (millis.length == 0) {
            return node.put("no_data", true);
        }
        long violations = Arrays.stream(millis)
                .filter(value -> value > target.p95Millis())
                .count();
        double compliance = 1.0 - (double) violations / millis.length;
        node.put("total_requests", samples.count());
        ObjectNode latency = node.putObject("latency_ms");
        latency.put("mean", NumpyStatistics.mean(millis));
        latency.put("p50", DurationSamples.percentile(millis, 50));
        latency.put("p95", DurationSamples.percentile(millis, 95));
        latency.put("p99", DurationSamples.percentile(millis, 99));
        latency.put("max", Arrays.stream(millis).max().orElse(0));
        ObjectNode sla = node.putObject("sla");
        sla.put("target_p95_ms", target.p95Millis());
        sla.put("actual_p95_ms", DurationSamples.percentile(millis, 95));
        sla.put("compliance", compliance);
        sla.put("met", compliance >= QosTarget.MET);
        return node;
    }

    private ObjectNode prefixes() {
        return NODES.objectNode()
                .put("prefix_hits", ledger.prefixHits.sum())
                .put("prefix_misses", ledger.prefixMisses.sum())
                .put("system_prompt_reuse", ledger.prefixHits.sum())
                .put("common_phrase_reuse", 0)
                .put("bytes_saved", ledger.prefixBytesSaved.sum());
    }

    private ObjectNode turns() {
        long hits = ledger.turnHits.sum();
        long misses = ledger.turnMisses.sum();
        return NODES.objectNode()
                .put("cache_hits", hits)
                .put("cache_misses", misses)
                .put("hit_rate", (double) hits / Math.max(hits + misses, 1));
    }
}
