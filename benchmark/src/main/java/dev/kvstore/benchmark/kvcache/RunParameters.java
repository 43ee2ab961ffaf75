package dev.kvstore.benchmark.kvcache;

import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flags of a run as the original's spreadsheet names them. */
final class RunParameters {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    private RunParameters() {}

    static Map<String, @Nullable Object> of(KvCacheFlags flags) {
        WorkloadFlags workload = flags.workload;
        TierFlags tiers = flags.tiers;
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("Timestamp", TIME.format(LocalDateTime.now(Clock.system(ZoneId.systemDefault()))));
        all.put("Model", workload.model);
        all.put("Num Users", workload.users);
        all.put("Duration (s)", workload.duration);
        all.put("GPU Memory per Card (GiB)", tiers.gpuGib);
        all.put("Num GPUs", tiers.gpus);
        all.put("Tensor Parallel", tiers.parallel);
        all.put("Total GPU Memory (GiB)", tiers.gpuGib * tiers.gpus);
        all.put("CPU Memory (GiB)", tiers.cpuGib);
        all.put("Generation Mode", workload.generation);
        all.put("Performance Profile", workload.profile);
        all.put("Multi-turn", !workload.noTurns);
        all.put("Prefix Caching", !workload.noPrefixes);
        all.put("RAG Enabled", flags.requests.rag);
        all.put("Autoscaling", flags.scale.on);
        all.put("Seed", workload.seed);
        all.put("Max Concurrent Allocs", tiers.allocations);
        all.put("Request Rate", workload.rate);
        all.put("Max Requests", workload.maxRequests);
        all.put("Dataset Path", flags.requests.dataset == null ? "N/A" : flags.requests.dataset);
        all.put("Cache Dir", tiers.folder == null ? "temp" : tiers.folder);
        all.put("Storage Capacity (GiB)", tiers.storageGib);
        all.put("Precondition", tiers.precondition);
        all.put("Precondition Size (GiB)", tiers.preconditionGib);
        all.put("Precondition Threads", tiers.threads());
        all.put("Trace Speedup", flags.requests.speedup);
        all.put("Replay Cycles", flags.requests.cycles);
        return all;
    }
}
