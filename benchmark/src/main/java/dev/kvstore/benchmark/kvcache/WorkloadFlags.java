package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.GenerationMode;
import dev.kvstore.benchmark.kvcache.engine.RunPlan.RequestPart;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of what users ask for; those of the original have its names and defaults. */
final class WorkloadFlags {
    @Option(names = "--model", paramLabel = "NAME")
    String model = "llama3.1-8b";

    @Option(names = "--num-users", paramLabel = "N")
    int users = 100;

    @Option(names = "--duration", paramLabel = "S")
    int duration = 60;

    @Option(names = "--generation-mode", paramLabel = "MODE")
    GenerationMode generation = GenerationMode.REALISTIC;

    @Option(names = "--performance-profile", paramLabel = "PROFILE")
    Profile profile = Profile.LATENCY;

    @Option(names = "--disable-multi-turn")
    boolean noTurns;

    @Option(names = "--disable-prefix-caching")
    boolean noPrefixes;

    @Option(names = "--prefill-only")
    boolean prefillOnly;

    @Option(names = "--decode-only")
    boolean decodeOnly;

    @Option(names = "--seed", paramLabel = "N")
    @Nullable
    Long seed;

    @Option(names = "--max-requests", paramLabel = "N")
    long maxRequests = 0;

    @Option(names = "--arrival", paramLabel = "HOW")
    ArrivalProcess arrival = ArrivalProcess.USERS;

    @Option(names = "--request-rate", paramLabel = "N")
    double rate;

    @Option(names = "--arrival-cv", paramLabel = "X", defaultValue = "2")
    double variation;

    /** The targets that the tiers are judged by. */
    enum Profile {
        LATENCY,
        THROUGHPUT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    RequestPart part() {
        return prefillOnly ? RequestPart.PREFILL_ONLY : decodeOnly ? RequestPart.DECODE_ONLY : RequestPart.BOTH;
    }

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(WorkloadConfig config, boolean compat) {
        boolean byUsers = arrival == ArrivalProcess.USERS;
        FlagCheck.refuseIf(
                !config.models().containsKey(model),
                "--model: there is no model " + model + "; there are "
                        + String.join(
                                ", ", config.models().keySet().stream().sorted().toList()));
        FlagCheck.range("--num-users", users, 1, config.validationLimits().maxUsers());
        FlagCheck.range("--duration", duration, 1, config.validationLimits().maxDurationSeconds());
        FlagCheck.range("--max-requests", maxRequests, 0, 1_000_000_000);
        FlagCheck.exclude("--prefill-only", prefillOnly && decodeOnly, "--decode-only");
        FlagCheck.range("--request-rate", rate, "0", "1000000");
        FlagCheck.range("--arrival-cv", variation, "0.1", "10");
        FlagCheck.refuseIf(!byUsers && compat, "--arrival: --compat knows users alone; leave one of the two out");
        FlagCheck.refuseIf(!byUsers && rate == 0, "--request-rate: must be above 0 with --arrival " + arrival);
        FlagCheck.refuseIf(
                byUsers && rate > 0 && !compat,
                "--request-rate: users arrive as they think; give --arrival fixed, poisson or gamma with it");
    }
}
