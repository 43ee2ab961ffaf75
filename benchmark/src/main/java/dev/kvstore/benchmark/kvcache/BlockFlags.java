package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.block.PrefillModel;
import dev.kvstore.protocol.block.Partition;
import picocli.CommandLine.Option;

/** The flags of prompts in blocks. */
final class BlockFlags {
    private static final String BLOCK_TOKENS = "--block-tokens";

    @Option(
            names = BLOCK_TOKENS,
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Cut prompts into blocks of so many tokens, look up which are stored, read those, write the others, as an"
                            + " engine does; 128 is usual, 0 for an entry a turn as in the original. Default: ${DEFAULT-VALUE}.")
    int tokens;

    @Option(
            names = "--prefill-rate",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "With blocks: tokens a second that a GPU computes; 0 for 495 TFLOP/s (half of an H100) over twice the"
                            + " model's active parameters. Default: ${DEFAULT-VALUE}.")
    double rate;

    @Option(
            names = "--system-prompt-tokens",
            paramLabel = "N",
            defaultValue = "1024",
            description = "With blocks: length of each of the three shared prompts. Default: ${DEFAULT-VALUE}.")
    int sharedTokens;

    boolean on() {
        return tokens > 0;
    }

    PrefillModel prefill(String model) {
        return rate > 0 ? new PrefillModel(rate) : PrefillModel.of(model);
    }

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(WorkloadFlags workload, TierFlags tiers, boolean compat) {
        WorkloadFlags.range(BLOCK_TOKENS, tokens, 0, Partition.MAX_BLOCK_TOKENS);
        WorkloadFlags.range("--system-prompt-tokens", sharedTokens, 0, 65_536);
        if (!(rate >= 0 && rate <= 1e9)) {
            throw new IllegalArgumentException("--prefill-rate: must be 0 to 1000000000, not " + rate);
        }
        if (!on()) {
            return;
        }
        exclude(compat, "--compat");
        exclude(workload.prefillOnly, "--prefill-only");
        exclude(workload.decodeOnly, "--decode-only");
        exclude(tiers.precondition, "--precondition");
        if (tiers.has(TierName.KVSTORE) && tiers.tiers.size() > 1) {
            throw new IllegalArgumentException(
                    "--tiers: with --block-tokens kvstore stands alone, since it has tiers of its own; not "
                            + tiers.names());
        }
        if (rate == 0 && !PrefillModel.knows(workload.model)) {
            throw new IllegalArgumentException(
                    "--prefill-rate: is missing; how fast " + workload.model + " computes is not known");
        }
    }

    private static void exclude(boolean given, String flag) {
        if (given) {
            throw new IllegalArgumentException(BLOCK_TOKENS + ": excludes " + flag + "; leave one of the two out");
        }
    }
}
