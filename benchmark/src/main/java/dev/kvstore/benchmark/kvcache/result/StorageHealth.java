package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.engine.DurationSamples;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.Ledger.TierCounts;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.report.Numbers;
import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Whether storage passes the original's criteria. Its rules no longer ask for them; its JSON has them still. */
final class StorageHealth {
    private static final double MILLIS = 1e3;
    private static final double HIT_RATE = 0.3;

    private StorageHealth() {}

    static ObjectNode of(Ledger ledger, double seconds, boolean throughput) {
        ArrayNode criteria = JsonNodeFactory.instance.arrayNode();
        TierCounts storage = ledger.tier(Slot.STORAGE);
        if (throughput) {
            long read = storage.readBytes.sum();
            long written = storage.writtenBytes.sum();
            // Reads alone, or writes alone, are judged alone.
            if (read > 0 || written == 0) {
                bandwidth(criteria, "Storage KV Read Bandwidth", CacheStats.perSecond(read, seconds));
            }
            if (written > 0 || read == 0) {
                bandwidth(criteria, "Storage KV Write Bandwidth", CacheStats.perSecond(written, seconds));
            }
        } else {
            TierCounts memory = ledger.tier(Slot.CPU);
            DoubleStream accesses =
                    DoubleStream.concat(Arrays.stream(memory.reads.values()), Arrays.stream(memory.writes.values()));
            below(criteria, "Storage Tier Write Device P95 < 500ms", 500, storage.deviceWrites.values());
            below(criteria, "Storage Tier Read Device P95 < 200ms", 200, storage.deviceReads.values());
            below(criteria, "CPU RAM P95 < 150ms", 150, accesses.toArray());
            double hits = ledger.hits.sum();
            double lookups = hits + ledger.misses.sum();
            if (lookups > 0) {
                boolean holds = hits / lookups > HIT_RATE;
                criterion(criteria, "Cache Hit Rate > 30%", number(HIT_RATE), number(hits / lookups), "ratio", holds);
            }
        }
        long passed = criteria.valueStream()
                .filter(criterion -> criterion.path("passed").asBoolean())
                .count();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("overall_status", passed == criteria.size() ? "PASS" : "FAIL");
        node.set("criteria", criteria);
        return node.put("passed_count", passed).put("total_count", criteria.size());
    }

    private static JsonNode number(double value) {
        return JsonNodeFactory.instance.numberNode(value);
    }

    private static void bandwidth(ArrayNode criteria, String name, double rate) {
        JsonNode text = JsonNodeFactory.instance.textNode(Numbers.format("%.2f", rate));
        criterion(criteria, name, JsonNodeFactory.instance.textNode(">0"), text, "GiB/s", rate > 0);
    }

    private static void below(ArrayNode criteria, String name, double target, double[] seconds) {
        if (seconds.length > 0) {
            double actual = DurationSamples.percentile(seconds, 95) * MILLIS;
            criterion(criteria, name, number(target), number(actual), "ms", actual < target);
        }
    }

    private static void criterion(
            ArrayNode criteria, String name, JsonNode target, JsonNode actual, String unit, boolean holds) {
        ObjectNode node = criteria.addObject().put("name", name);
        node.set("target", target);
        node.set("actual", actual);
        node.put("unit", unit).put("passed", holds);
    }
}
