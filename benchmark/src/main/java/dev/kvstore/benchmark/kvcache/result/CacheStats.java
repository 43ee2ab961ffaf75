package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.Ledger.TierCounts;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;

/** {@code summary.cache_stats} of the original's JSON. Its "gb" are GiB, its "iops" are counts. Stateless. */
final class CacheStats {
    private static final double GIBIBYTE = 1L << 30;

    private CacheStats() {}

    /**
     * All of it.
     *
     * @param seconds that bandwidths are reckoned for
     * @param throughput whether storage is judged by throughput, not by latency
     */
    static ObjectNode of(Ledger ledger, TieredCache cache, double seconds, boolean throughput) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        long hits = ledger.hits.sum();
        long misses = ledger.misses.sum();
        node.put("cache_hit_rate", hits + misses > 0 ? (double) hits / (hits + misses) : 0);
        node.put("cache_hits", hits);
        node.put("cache_misses", misses);
        ledger.tiers.keySet().forEach(slot -> node.put(slot + "_entries", cache.entries(slot)));
        node.put("gpu_memory_used_gb", cache.used(Slot.GPU) / GIBIBYTE);
        node.put("cpu_memory_used_gb", cache.used(Slot.CPU) / GIBIBYTE);
        node.put("offloads_cpu", ledger.offloadsCpu.sum());
        node.put("offloads_storage", ledger.offloadsStorage.sum());
        node.set("storage_health", StorageHealth.of(ledger, seconds, throughput));
        node.put("prefill_writes", ledger.prefillWrites.sum());
        node.put("decode_reads", ledger.decodeReads.sum());
        ledger.tiers.forEach(
                (slot, tier) -> node.put("tier_" + slot + "_kv_bytes_written_gb", tier.writtenBytes.sum() / GIBIBYTE));
        ledger.tiers.forEach(
                (slot, tier) -> node.put("tier_" + slot + "_kv_bytes_read_gb", tier.readBytes.sum() / GIBIBYTE));
        ledger.tiers.forEach((slot, tier) -> node.put(
                        "tier_" + slot + "_read_bandwidth_gbps", perSecond(tier.readBytes.sum(), seconds))
                .put("tier_" + slot + "_write_bandwidth_gbps", perSecond(tier.writtenBytes.sum(), seconds)));
        long read = ledger.readBytes.sum();
        long written = ledger.writtenBytes.sum();
        node.put("system_prompt_hits", ledger.systemPromptHits.sum());
        node.put("common_phrase_hits", 0);
        node.put("user_cache_hits", ledger.userHits.sum());
        node.put("multi_turn_hits", ledger.multiTurnHits.sum());
        node.put("total_read_bytes", read);
        node.put("total_write_bytes", written);
        node.put("total_read_gb", read / GIBIBYTE);
        node.put("total_write_gb", written / GIBIBYTE);
        node.put("read_write_ratio", (double) read / Math.max(written, 1));
        node.put("read_iops", ledger.decodeReads.sum());
        node.put("write_iops", ledger.prefillWrites.sum());
        node.put("storage_tokens_processed", ledger.storageTokens.sum());
        ledger.tiers.forEach((slot, tier) -> {
            ResultJson.putPercentiles(node, slot + "_read_", "_ms", tier.reads);
            ResultJson.putPercentiles(node, slot + "_write_", "_ms", tier.writes);
        });
        TierCounts storage = ledger.tier(Slot.STORAGE);
        ResultJson.putPercentiles(node, "storage_read_device_", "_ms", storage.deviceReads);
        ResultJson.putPercentiles(node, "storage_read_host_", "_ms", storage.hostReads);
        ResultJson.putPercentiles(node, "storage_write_device_", "_ms", storage.deviceWrites);
        ResultJson.putPercentiles(node, "storage_write_host_", "_ms", storage.hostWrites);
        return node;
    }

    /** GiB a second. */
    static double perSecond(long bytes, double seconds) {
        return seconds > 0 ? bytes / GIBIBYTE / seconds : 0;
    }
}
