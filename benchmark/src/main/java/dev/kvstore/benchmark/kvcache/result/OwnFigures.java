package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.QosTarget;
import dev.kvstore.benchmark.kvcache.engine.DurationSamples;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.PrefixCounts;
import dev.kvstore.benchmark.kvcache.engine.RequestLedger;
import dev.kvstore.benchmark.kvcache.engine.RequestOutcome;
import dev.kvstore.benchmark.kvcache.engine.RunFigures;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import java.util.List;
import java.util.stream.Stream;

/** {@code summary.kvstore}: what the original's JSON does not have. Stateless. */
final class OwnFigures {
    /** Above it the client is said to have been the limit. */
    private static final double CLIENT_LIMIT = 0.8;

    private static final int SCHEMA_VERSION = 1;
    private static final double MILLIS = 1e3;
    private static final double GIGABYTE = 1e9;
    private static final double GIBIBYTE = 1L << 30;

    private OwnFigures() {}

    static ObjectNode of(RunFigures figures, ResultJson.ResultSetting setting, TieredCache cache) {
        Ledger ledger = figures.ledger();
        RequestLedger accounts = figures.accounts();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("schema_version", SCHEMA_VERSION);
        node.put("mode", setting.plan().honest() ? "honest" : "compat");
        node.put("stream_sha256", figures.streamHash());
        node.put("requests_arrived", figures.requests());
        node.put("warm_up_seconds", (double) setting.plan().warmUp().toSeconds());
        node.put("window_seconds", figures.seconds());
        node.put("interrupted", figures.interrupted());
        setting.tiers().forEach(node.putArray("tiers")::add);
        setting.services().forEach(node.putArray("services")::add);
        ObjectNode requests = node.putObject("requests");
        for (QosClass qos : QosClass.values()) {
            QosTarget target = setting.plan().config().target(qos);
            requests(requests.putObject(qos.toString()), figures, qos, target);
        }
        node.put("max_requests", setting.plan().maxRequests());
        node.put("requests_unaccounted", accounts.unaccounted());
        node.put("first_failure", accounts.firstFailure());
        node.set("latency_from_intended_start_ms", ResultJson.latencies(accounts.fromIntended));
        node.set("latency_from_arrival_ms", ResultJson.latencies(accounts.fromArrival));
        node.putObject("queue")
                .put("longest", figures.queue().longest())
                .put("mean_length", figures.queue().meanLength())
                .put("mean_wait_seconds", figures.queue().meanWaitSeconds())
                .put("oldest_at_end_seconds", figures.queue().oldestSeconds())
                .put("littles_law", figures.queue().littlesLaw());
        ObjectNode held = node.putObject("held_gb");
        ledger.tiers.keySet().forEach(slot -> held.put(slot.toString(), cache.held(slot) / GIBIBYTE));
        List<DurationSamples> accesses = ledger.tiers.values().stream()
                .flatMap(tier -> Stream.of(tier.reads, tier.writes))
                .toList();
        node.putObject("accesses")
                .put(
                        "count",
                        accesses.stream().mapToLong(DurationSamples::count).sum())
                .put(
                        "seconds",
                        accesses.stream().mapToDouble(DurationSamples::sum).sum());
        node.put("errors", ledger.errors.sum());
        node.put("damaged_reads", ledger.damaged.sum());
        node.put("evictions", ledger.evictions.sum());
        node.putObject("demotions").put("count", ledger.demotions.count()).put("seconds", ledger.demotions.sum());
        if (ledger.chunkHits.sum() + ledger.chunkMisses.sum() > 0) {
            node.putObject("chunks").put("found", ledger.chunkHits.sum()).put("missing", ledger.chunkMisses.sum());
        }
        client(node.putObject("client"), figures);
        if (setting.blocks() != null) {
            blocks(node.putObject("blocks"), ledger.prefixes, setting.blocks());
        }
        return node;
    }

    private static void requests(ObjectNode node, RunFigures figures, QosClass qos, QosTarget target) {
        RequestLedger accounts = figures.accounts();
        node.put("offered", accounts.offeredOf(qos));
        for (RequestOutcome outcome : RequestOutcome.values()) {
            node.put(outcome.toString(), accounts.count(qos, outcome));
        }
        long within = accounts.withinTargetOf(qos);
        node.put("within_target", within);
        node.put("goodput_per_second", figures.seconds() > 0 ? within / figures.seconds() : 0);
        // Empty if no request of the class was answered in the window.
        ObjectNode targets = node.putObject("targets_ms");
        DurationSamples samples = figures.ledger().of(qos);
        if (samples.count() > 0) {
            target(targets.putObject("p95"), samples.percentile(95), target.p95Millis());
            target(targets.putObject("p99"), samples.percentile(99), target.p99Millis());
            target(targets.putObject("p999"), samples.percentile(99.9), target.p999Millis());
            target(targets.putObject("p9999"), samples.percentile(99.99), target.p9999Millis());
        }
    }

    private static void target(ObjectNode node, double seconds, double millis) {
        node.put("target", millis).put("actual", seconds * MILLIS).put("met", seconds * MILLIS <= millis);
    }

    private static void client(ObjectNode node, RunFigures figures) {
        int processors = Runtime.getRuntime().availableProcessors();
        double bytes = figures.ledger().tiers.values().stream()
                .mapToLong(tier -> tier.readBytes.sum() + tier.writtenBytes.sum())
                .sum();
        double share = figures.seconds() > 0 ? figures.cpuSeconds() / figures.seconds() / processors : 0;
        node.put("cpu_seconds", figures.cpuSeconds());
        node.put("cpu_share", share);
        if (bytes > 0) {
            node.put("cpu_seconds_per_gb", figures.cpuSeconds() / (bytes / GIGABYTE));
        }
        node.put("was_the_limit", share > CLIENT_LIMIT);
    }

    private static void blocks(ObjectNode node, PrefixCounts counts, ResultJson.BlockSetting blocks) {
        long tokens = counts.promptTokens.sum();
        long saved = counts.savedTokens.sum();
        node.put("block_tokens", blocks.tokens());
        node.put("block_bytes", blocks.bytes());
        node.putObject("prompts")
                .put("found_whole", counts.whole.sum())
                .put("found_in_part", counts.partial.sum())
                .put("not_found", counts.none.sum());
        node.put("blocks_looked_up", counts.blocks.sum());
        node.put("blocks_read", counts.foundBlocks.sum());
        node.put("prompt_tokens", tokens);
        node.put("saved_prefill_tokens", saved);
        node.put("saved_prefill_share", tokens > 0 ? (double) saved / tokens : 0);
        node.put("prefill_tokens_per_second", blocks.prefillTokensPerSecond());
        node.put("saved_gpu_seconds", saved / blocks.prefillTokensPerSecond());
        node.set("lookup_ms", ResultJson.latencies(counts.lookup));
        ObjectNode first = node.putObject("time_to_first_token_ms");
        first.set("with_cache", ResultJson.latencies(counts.firstToken));
        first.set("without_cache", ResultJson.latencies(counts.withoutCache));
        first.set("with_cache_from_intended_start", ResultJson.latencies(counts.firstTokenFromIntended));
    }
}
