package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.engine.DurationSamples;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.Ledger.TierCounts;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Whether storage passes the original's criteria. Its rules no longer ask for them; its JSON has them still. For one
 * use.
 */
final class StorageHealth {
    private static final double GIBIBYTE = 1L << 30;
    private static final double MILLIS = 1e3;
    private static final double HIT_RATE = 0.3;

    private final ArrayNode criteria = JsonNodeFactory.instance.arrayNode();
    private int passed;

    static ObjectNode of(Ledger ledger, double seconds, boolean throughput) {
        StorageHealth health = new StorageHealth();
        if (throughput) {
            health.throughput(ledger.tier(Slot.STORAGE), seconds);
        } else {
            health.latency(ledger);
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("overall_status", health.passed == health.criteria.size() ? "PASS" : "FAIL");
        node.set("criteria", health.criteria);
        return node.put("passed_count", health.passed).put("total_count", health.criteria.size());
    }

    /** Reads alone, or writes alone, are judged alone. */
    private void throughput(TierCounts storage, double seconds) {
        long read = storage.readBytes.sum();
        long written = storage.writtenBytes.sum();
        if (read > 0 || written == 0) {
            bandwidth("Storage KV Read Bandwidth", read, seconds);
        }
        if (written > 0 || read == 0) {
            bandwidth("Storage KV Write Bandwidth", written, seconds);
        }
    }

    private void bandwidth(String name, long bytes, double seconds) {
        double rate = seconds > 0 ? bytes / GIBIBYTE / seconds : 0;
        String text = String.format(Locale.ROOT, "%.2f", rate);
        judge(criterion(name).put("target", ">0").put("actual", text), "GiB/s", rate > 0);
    }

    private void latency(Ledger ledger) {
        TierCounts storage = ledger.tier(Slot.STORAGE);
        TierCounts memory = ledger.tier(Slot.CPU);
        below("Storage Tier Write Device P95 < 500ms", 500, storage.deviceWrites.values());
        below("Storage Tier Read Device P95 < 200ms", 200, storage.deviceReads.values());
        DoubleStream accesses =
                DoubleStream.concat(Arrays.stream(memory.reads.values()), Arrays.stream(memory.writes.values()));
        below("CPU RAM P95 < 150ms", 150, accesses.toArray());
        double hits = ledger.hits.sum();
        double lookups = hits + ledger.misses.sum();
        if (lookups > 0) {
            ObjectNode node = criterion("Cache Hit Rate > 30%").put("target", HIT_RATE);
            judge(node.put("actual", hits / lookups), "ratio", hits / lookups > HIT_RATE);
        }
    }

    private void below(String name, double target, double[] seconds) {
        if (seconds.length > 0) {
            double actual = DurationSamples.percentile(seconds, 95) * MILLIS;
            judge(criterion(name).put("target", target).put("actual", actual), "ms", actual < target);
        }
    }

    private ObjectNode criterion(String name) {
        return criteria.addObject().put("name", name);
    }

    private void judge(ObjectNode criterion, String unit, boolean holds) {
        criterion.put("unit", unit).put("passed", holds);
        passed += holds ? 1 : 0;
    }
}
