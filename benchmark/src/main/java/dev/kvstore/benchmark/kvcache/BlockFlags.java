package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.block.PrefillModel;
import dev.kvstore.protocol.block.Partition;
import picocli.CommandLine.Option;

/** The flags of prompts in blocks. */
final class BlockFlags {
    private static final String BLOCK_TOKENS = "--block-tokens";

    @Option(names = BLOCK_TOKENS, paramLabel = "N")
    int tokens = 0;

    @Option(names = "--prefill-rate", paramLabel = "N", defaultValue = "0")
    double rate;

    @Option(names = "--system-prompt-tokens", paramLabel = "N")
    int sharedTokens = 1_024;

    boolean on() {
        return tokens > 0;
    }

    PrefillModel prefill(String model) {
        return rate > 0 ? new PrefillModel(rate) : PrefillModel.of(model);
    }

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(KvCacheFlags flags) {
        FlagCheck.range(BLOCK_TOKENS, tokens, 0, Partition.MAX_BLOCK_TOKENS);
        FlagCheck.range("--system-prompt-tokens", sharedTokens, 0, 65_536);
        FlagCheck.range("--prefill-rate", rate, "0", "1000000000");
        if (on()) {
            FlagCheck.exclude(BLOCK_TOKENS, flags.compat, "--compat");
            FlagCheck.exclude(BLOCK_TOKENS, flags.workload.prefillOnly, "--prefill-only");
            FlagCheck.exclude(BLOCK_TOKENS, flags.workload.decodeOnly, "--decode-only");
            FlagCheck.exclude(BLOCK_TOKENS, flags.tiers.precondition, "--precondition");
            FlagCheck.refuseIf(
                    flags.tiers.has(TierName.KVSTORE) && flags.tiers.tiers.size() > 1,
                    "--tiers: with --block-tokens kvstore stands alone, since it has tiers of its own; not "
                            + flags.tiers.names());
            prefill(flags.workload.model);
        }
    }
}
