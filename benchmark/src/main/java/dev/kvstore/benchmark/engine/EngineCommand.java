package dev.kvstore.benchmark.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench engine}. */
@Command(
        name = "engine",
        header = "A real engine, vLLM, without a store, with KV Store and with LMCache.",
        description =
                "Engines with the same model take turns: one without a store, one with KV Store, and one with LMCache on CPU"
                        + " memory, if that is installed. Prompts begin with a prefix, of which a part was stored by an engine"
                        + " that has ended. Tokens a second and the time to the first token, by the length of the prefix and the"
                        + " stored part. Needs an environment with vLLM: ./kv test --engines lmcache makes it, once, with 7 GB."
                        + " The defaults take a quarter of an hour on two cores; --model tiny takes three minutes. Exit code 1 if"
                        + " a prompt had another output than without a store, or if what was stored was not loaded.")
public final class EngineCommand extends BenchCommand {
    private static final int MOST_PROMPTS = 4_000;
    private static final int MOST_PREFIX = 1 << 20;
    private static final int MOST_TOKENS = 1_024;
    private static final int MOST_MEMORY_GB = 1_024;

    @Option(
            names = "--prefix",
            split = ",",
            paramLabel = "TOKENS",
            defaultValue = "1024,2048",
            description = "Lengths of prefixes, multiples of 256. Default: ${DEFAULT-VALUE}.")
    private List<Integer> prefixes = List.of();

    @Option(
            names = "--hit-ratio",
            split = ",",
            paramLabel = "SHARE",
            defaultValue = "0,0.5,1",
            description = "Stored parts of a prefix, 0 to 1, in whole chunks of 256 tokens. Default: ${DEFAULT-VALUE}.")
    private List<Double> hitRatios = List.of();

    @Option(
            names = "--prompts",
            paramLabel = "N",
            defaultValue = "2",
            description = "Prompts that an engine gets at once, 1 to 256. Default: ${DEFAULT-VALUE}.")
    private int prompts;

    @Option(
            names = "--tokens",
            paramLabel = "N",
            defaultValue = "16",
            description =
                    "Tokens that are generated for each prompt, 1 to " + MOST_TOKENS + ". Default: ${DEFAULT-VALUE}.")
    private int tokens;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Measurements of each, 1 to 100, all in turn. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            defaultValue = "slow",
            description =
                    "tiny or slow, of 4 or 12 layers and random weights, which are made; or a folder or name of your"
                            + " own, which is on this machine. Default: ${DEFAULT-VALUE}.")
    private String model = "";

    @Option(
            names = "--memory-gb",
            paramLabel = "N",
            defaultValue = "4",
            description = "GiB of memory for KV Store's data plane, and as many for LMCache, 1 to " + MOST_MEMORY_GB
                    + "; all prompts should fit. Default: ${DEFAULT-VALUE}.")
    private int memoryGb;

    @Option(
            names = "--vllm",
            paramLabel = "JSON",
            defaultValue = "{}",
            description =
                    "More options of vLLM's class LLM for all engines, as in '{\"gpu_memory_utilization\": 0.3}'.")
    private String options = "";

    @Option(
            names = "--python",
            paramLabel = "FILE",
            description = "A Python that has vLLM, kvstore-vllm and perhaps LMCache. Default: the one that ./kv test"
                    + " --engines made.")
    private @Nullable Path python;

    @Override
    protected void check() {
        for (int prefix : prefixes) {
            require("--prefix", prefix, EngineCase.CHUNK_TOKENS, MOST_PREFIX);
            if (prefix % EngineCase.CHUNK_TOKENS != 0) {
                throw new IllegalArgumentException(
                        "--prefix: must be a multiple of " + EngineCase.CHUNK_TOKENS + ", not " + prefix);
            }
        }
        for (double share : hitRatios) {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("--hit-ratio: must be 0 to 1, not " + share);
            }
        }
        require("--prompts", prompts, 1, 256);
        require("--tokens", tokens, 1, MOST_TOKENS);
        require("--rounds", rounds, 1, 100);
        require("--memory-gb", memoryGb, 1, MOST_MEMORY_GB);
        long all = (1L + rounds) * prefixes.size() * hitRatios.size() * prompts;
        require("--rounds, --prompts, --prefix and --hit-ratio: prompts of all together", all, 1, MOST_PROMPTS);
        options();
        if (python != null && !Files.isExecutable(python)) {
            throw new IllegalArgumentException("--python: " + python + " is no program; name a Python that has vLLM");
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException, InterruptedException {
        EnginePlan plan = new EnginePlan(
                prefixes.stream().distinct().toList(),
                hitRatios.stream().distinct().toList(),
                prompts,
                tokens,
                rounds,
                model,
                memoryGb,
                options());
        return new EngineComparison(EnginePython.of(Home.current(), python), plan, progress).run();
    }

    private Map<String, Object> options() {
        try {
            return new ObjectMapper().readValue(options, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("--vllm: " + options + " is no JSON object", e);
        }
    }
}
