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
    @Option(
            names = "--model",
            paramLabel = "NAME",
            defaultValue = "llama3.1-8b",
            description = "Model of the KV cache; --list-models lists them, the config file may add some. Default:"
                    + " ${DEFAULT-VALUE}.")
    String model = "";

    @Option(
            names = "--num-users",
            paramLabel = "N",
            defaultValue = "100",
            description = "Users, 1 to 100000; up to 500 workers serve them. Default: ${DEFAULT-VALUE}.")
    int users;

    @Option(
            names = "--duration",
            paramLabel = "S",
            defaultValue = "60",
            description = "Seconds that are measured, 1 to 86400. Default: ${DEFAULT-VALUE}.")
    int duration;

    @Option(
            names = "--generation-mode",
            paramLabel = "MODE",
            defaultValue = "realistic",
            description =
                    "How long a worker is busy with a token of the answer: none, fast (2 ms) or realistic (30 ms)."
                            + " Default: ${DEFAULT-VALUE}.")
    GenerationMode generation = GenerationMode.REALISTIC;

    @Option(
            names = "--performance-profile",
            paramLabel = "PROFILE",
            defaultValue = "latency",
            description = "What storage_health judges: latency or throughput. Default: ${DEFAULT-VALUE}.")
    Profile profile = Profile.LATENCY;

    @Option(names = "--disable-multi-turn", description = "Each request is a conversation of its own.")
    boolean noTurns;

    @Option(names = "--disable-prefix-caching", description = "No request begins with a shared prompt.")
    boolean noPrefixes;

    @Option(names = "--prefill-only", description = "Entries are written and earlier turns read; nothing is decoded.")
    boolean prefillOnly;

    @Option(
            names = "--decode-only",
            description = "Entries are read that were written before the run, 10 a user of 2,048 tokens.")
    boolean decodeOnly;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed: the same one makes the same users and requests. Default: another each time.")
    @Nullable
    Long seed;

    @Option(
            names = "--max-requests",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "End when so many requests of the measured time are answered; 0 for the duration alone. Default:"
                            + " ${DEFAULT-VALUE}.")
    long maxRequests;

    @Option(
            names = "--arrival",
            paramLabel = "HOW",
            defaultValue = "users",
            description =
                    "users: each thinks, asks, and thinks again without waiting; fixed, poisson or gamma: --request-rate"
                            + " requests a second, at equal distances, at random, or in bursts. Default: ${DEFAULT-VALUE}.")
    ArrivalProcess arrival = ArrivalProcess.USERS;

    @Option(
            names = "--request-rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Requests a second of fixed, poisson and gamma arrivals.")
    double rate;

    @Option(
            names = "--arrival-cv",
            paramLabel = "X",
            defaultValue = "2",
            description =
                    "Burstiness of gamma arrivals: the standard deviation of their distances over the mean, 0.1 to 10."
                            + " Default: ${DEFAULT-VALUE}.")
    double variation;

    /** The targets that the tiers are judged by. */
    enum Profile {
        LATENCY,
        THROUGHPUT
    }

    RequestPart part() {
        return prefillOnly ? RequestPart.PREFILL_ONLY : decodeOnly ? RequestPart.DECODE_ONLY : RequestPart.BOTH;
    }

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(WorkloadConfig config, boolean compat) {
        if (!config.models().containsKey(model)) {
            throw new IllegalArgumentException("--model: there is no model " + model + "; there are "
                    + String.join(
                            ", ", config.models().keySet().stream().sorted().toList()));
        }
        range("--num-users", users, 1, config.limits().users());
        range("--duration", duration, 1, config.limits().durationSeconds());
        range("--max-requests", maxRequests, 0, 1_000_000_000);
        if (prefillOnly && decodeOnly) {
            throw new IllegalArgumentException("--prefill-only: excludes --decode-only; leave one of the two out");
        }
        if (!(rate >= 0 && rate <= 1_000_000)) {
            throw new IllegalArgumentException("--request-rate: must be 0 to 1000000, not " + rate);
        }
        if (!(variation >= 0.1 && variation <= 10)) {
            throw new IllegalArgumentException("--arrival-cv: must be 0.1 to 10, not " + variation);
        }
        if (arrival != ArrivalProcess.USERS && compat) {
            throw new IllegalArgumentException("--arrival: --compat knows users alone; leave one of the two out");
        }
        if (arrival != ArrivalProcess.USERS && rate == 0) {
            throw new IllegalArgumentException("--request-rate: must be above 0 with --arrival "
                    + arrival.name().toLowerCase(Locale.ROOT));
        }
        if (arrival == ArrivalProcess.USERS && rate > 0 && !compat) {
            throw new IllegalArgumentException(
                    "--request-rate: users arrive as they think; give --arrival fixed, poisson or gamma with it");
        }
    }

    static void range(String flag, long number, long least, long most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(flag + ": must be " + least + " to " + most + ", not " + number);
        }
    }
}
