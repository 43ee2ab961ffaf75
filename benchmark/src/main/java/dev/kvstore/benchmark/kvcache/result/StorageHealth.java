package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.engine.DurationSamples;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.Ledger.TierCounts;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * Whether storage passes the original's criteria. Its rules no longer ask for them; its JSON has them still. For one
 * use.
 */
final class StorageHealth {
    private static final double GIBIBYTE = 1L << 30;
    private static final double MILLIS = 1e3;
    private static final double WRITE_MILLIS = 500;
    private static final double READ_MILLIS = 200;
    private static final double MEMORY_MILLIS = 150;
    private static final double HIT_RATE = 0.3;

    private final Ledger ledger;
    private final double seconds;
    private final ArrayNode criteria = JsonNodeFactory.instance.arrayNode();
    private int passed;

    StorageHealth(Ledger ledger, double seconds) {
        this.ledger = ledger;
        this.seconds = seconds;
    }

    ObjectNode judge(boolean throughput) {
        if (throughput) {
            throughput();
        } else {
            latency();
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("overall_status", passed == criteria.size() ? "PASS" : "FAIL");
        node.set("criteria", criteria);
        node.put("passed_count", passed);
        node.put("total_count", criteria.size());
        return node;
    }

    /** Reads alone, or writes alone, are judged alone. */
    private void throughput() {
        long read = ledger.tier(Slot.STORAGE).readBytes.sum();
        long written = ledger.tier(Slot.STORAGE).writtenBytes.sum();
        if (read > 0 || written == 0) {
            bandwidth("Storage KV Read Bandwidth", read);
        }
        if (written > 0 || read == 0) {
            bandwidth("Storage KV Write Bandwidth", written);
        }
    }

    private void bandwidth(String name, long bytes) {
        double rate = seconds > 0 ? bytes / GIBIBYTE / seconds : 0;
        ObjectNode node = criteria.addObject();
        node.put("name", name).put("target", ">0").put("actual", CacheStats.text(rate));
        judge(node, "GiB/s", rate > 0);
    }

    private void latency() {
        TierCounts storage = ledger.tier(Slot.STORAGE);
        below("Storage Tier Write Device P95 < 500ms", WRITE_MILLIS, storage.deviceWrites.values());
        below("Storage Tier Read Device P95 < 200ms", READ_MILLIS, storage.deviceReads.values());
        TierCounts memory = ledger.tier(Slot.CPU);
        double[] memoryAccesses = DoubleStream.concat(
                        Arrays.stream(memory.reads.values()), Arrays.stream(memory.writes.values()))
                .toArray();
        below("CPU RAM P95 < 150ms", MEMORY_MILLIS, memoryAccesses);
        long hits = ledger.hits.sum();
        long accesses = hits + ledger.misses.sum();
        if (accesses > 0) {
            double rate = (double) hits / accesses;
            ObjectNode node = criteria.addObject();
            node.put("name", "Cache Hit Rate > 30%").put("target", HIT_RATE).put("actual", rate);
            judge(node, "ratio", rate > HIT_RATE);
        }
    }

    private void below(String name, double target, double[] seconds) {
        if (seconds.length > 0) {
            double actual = DurationSamples.percentile(seconds, 95) * MILLIS;
            ObjectNode node = criteria.addObject();
            node.put("name", name).put("target", target).put("actual", actual);
            judge(node, "ms", actual < target);
        }
    }

    private void judge(ObjectNode node, String unit, boolean holds) {
        node.put("unit", unit).put("passed", holds);
        passed += holds ? 1 : 0;
    }
}
