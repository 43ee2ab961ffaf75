package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.engine.Accounts;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.Outcome;
import dev.kvstore.benchmark.kvcache.engine.QueueFigures;
import dev.kvstore.benchmark.kvcache.engine.RunFigures;
import dev.kvstore.benchmark.kvcache.workload.QosClass;
import java.util.List;

/** {@code summary.kvstore}: what the original's JSON does not have. */
public final class OwnFigures {
    /** Above it the client is said to have been the limit. */
    public static final double CLIENT_LIMIT = 0.8;

    private static final int SCHEMA_VERSION = 1;
    private static final double GIGABYTE = 1e9;

    private OwnFigures() {}

    /**
     * All of it.
     *
     * @param tiers by the names that {@code --tiers} takes
     * @param services below them, for people
     * @param processors of this machine
     */
    public static ObjectNode of(
            RunFigures figures,
            boolean honest,
            List<String> tiers,
            List<String> services,
            double warmUpSeconds,
            int processors) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("schema_version", SCHEMA_VERSION);
        node.put("mode", honest ? "honest" : "compat");
        node.put("stream_sha256", figures.streamHash());
        node.put("requests_arrived", figures.requests());
        node.put("warm_up_seconds", warmUpSeconds);
        node.put("interrupted", figures.interrupted());
        tiers.forEach(node.putArray("tiers")::add);
        services.forEach(node.putArray("services")::add);
        requests(node.putObject("requests"), figures.accounts(), figures.seconds());
        node.put("requests_unaccounted", figures.accounts().unaccounted());
        node.set("latency_from_intended_start_ms", ResultJson.latencies(figures.accounts().fromIntended));
        node.set("latency_from_arrival_ms", ResultJson.latencies(figures.accounts().fromArrival));
        queue(node.putObject("queue"), figures.queue());
        Ledger ledger = figures.ledger();
        node.put("errors", ledger.errors.sum());
        node.put("damaged_reads", ledger.damaged.sum());
        node.put("evictions", ledger.evictions.sum());
        node.putObject("demotions").put("count", ledger.demotions.count()).put("seconds", ledger.demotions.sum());
        client(node.putObject("client"), figures, processors);
        return node;
    }

    private static void requests(ObjectNode node, Accounts accounts, double seconds) {
        for (QosClass qos : QosClass.values()) {
            ObjectNode one = node.putObject(qos.toString());
            one.put("offered", accounts.offeredOf(qos));
            for (Outcome outcome : Outcome.values()) {
                one.put(outcome.toString(), accounts.count(qos, outcome));
            }
            one.put("within_target", accounts.withinTargetOf(qos));
            one.put("goodput_per_second", seconds > 0 ? accounts.withinTargetOf(qos) / seconds : 0);
        }
    }

    private static void queue(ObjectNode node, QueueFigures queue) {
        node.put("longest", queue.longest());
        node.put("mean_length", queue.meanLength());
        node.put("mean_wait_seconds", queue.meanWaitSeconds());
        node.put("oldest_at_end_seconds", queue.oldestSeconds());
        node.put("littles_law", queue.littlesLaw());
    }

    private static void client(ObjectNode node, RunFigures figures, int processors) {
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
}
