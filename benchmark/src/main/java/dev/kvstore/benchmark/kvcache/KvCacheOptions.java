package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.engine.RunPlan;
import dev.kvstore.benchmark.kvcache.model.Model;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.Partition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flags of a run, checked.
 *
 * @param trace file for the operations of tiers that hold nothing; null for tiers that do
 */
record KvCacheOptions(
        WorkloadFlags workload,
        TierFlags tiers,
        ServiceFlags services,
        BlockFlags blocks,
        ScaleFlags scale,
        RequestFlags requests,
        ObservationFlags observation,
        WorkloadConfig config,
        boolean compat,
        int warmUpSeconds,
        int drainSeconds,
        @Nullable Path trace) {
    private static final int MOST_WORKERS = 500;

    // Some 100 bytes each: requests that wait are bounded, as all queues are. The original's are not.
    private static final int MOST_WAITING = 1_000_000;

    Model model() {
        Model model = config.models().get(workload.model);
        if (model == null) {
            throw new IllegalArgumentException("--model: there is no model " + workload.model);
        }
        return model;
    }

    /** A trace is of all three, as in the original. */
    List<TierName> tierNames() {
        return trace == null ? tiers.tiers : List.of(TierName.GPU_SIM, TierName.CPU, TierName.NULL);
    }

    /** The tokens of each shared prompt; 0 if it is too short to be shared. */
    int sharedTokens() {
        return blocks.sharedTokens < config.prefixes().leastTokens() ? 0 : blocks.sharedTokens;
    }

    /** The bytes of one block of a prompt. */
    long blockBytes() {
        return model().entryBytes(blocks.tokens, tiers.parallel);
    }

    /**
     * Of KV Store's blocks: without blocks of ours, those of as many tokens as its own have, in whole pages, as far as
     * it takes them.
     */
    int serviceBlockBytes() {
        if (blocks.on()) {
            return Math.toIntExact(blockBytes());
        }
        long bytes = model().entryBytes(Partition.DEFAULT_BLOCK_TOKENS, tiers.parallel);
        long pages = Math.max(1, (bytes + NoiseContent.PAGE_BYTES - 1) / NoiseContent.PAGE_BYTES);
        return (int) Math.min(NewBlock.MAX_BUFFER_BYTES, pages * NoiseContent.PAGE_BYTES);
    }

    /** Users of the run, and users that an autoscaler may add. */
    int population() {
        return compat ? workload.users : mostUsers();
    }

    /** How many users there may be at once. */
    int mostUsers() {
        return scale.on
                ? Math.max(
                        workload.users, Math.min(MOST_WORKERS, config.scaling().mostUsers()))
                : workload.users;
    }

    RunPlan plan() {
        return new RunPlan(
                Math.min(population(), MOST_WORKERS),
                !compat,
                !workload.noPrefixes,
                workload.part(),
                compat ? Duration.ZERO : Duration.ofSeconds(warmUpSeconds),
                Duration.ofSeconds(workload.duration),
                compat ? Duration.ZERO : Duration.ofSeconds(drainSeconds),
                workload.maxRequests,
                config.secondsPerToken(workload.generation),
                MOST_WAITING,
                config);
    }
}
