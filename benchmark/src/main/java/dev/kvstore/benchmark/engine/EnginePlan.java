package dev.kvstore.benchmark.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The prompts of a run, and the options of its engines.
 *
 * @param prompts at once
 * @param tokens that are generated for each prompt
 * @param more options of vLLM's class {@code LLM}, which replace those of the same name
 */
record EnginePlan(
        List<Integer> prefixes,
        List<Double> hitRatios,
        int prompts,
        int tokens,
        int rounds,
        String model,
        int memoryGb,
        Map<String, Object> more) {
    /** Models that are made, with random weights. */
    private static final Set<String> MADE = Set.of("tiny", "slow");

    /** The fewest sequences that an engine has room for; vLLM takes memory for each. */
    private static final int LEAST_SEQUENCES = 8;

    /** The cases of an engine. */
    List<EngineCase> cases(ComparedEngine engine) {
        return prefixes.stream()
                .flatMap(prefix -> hitRatios.stream().map(ratio -> new EngineCase(engine, prefix, ratio)))
                .toList();
    }

    /**
     * The prompts of a round, each as its seed and its length. Equal seeds begin with the same tokens, and no two prompts
     * of a run have the same seed; all engines have the same prompts.
     *
     * @param round 0 for the warm-up, which has one prompt
     * @param length in tokens
     */
    List<List<Integer>> prompts(EngineCase one, int round, int length) {
        List<EngineCase> cases = cases(one.engine());
        int first = (round * cases.size() + cases.indexOf(one)) * prompts + 1;
        return IntStream.range(0, round == 0 ? 1 : prompts)
                .mapToObj(i -> List.of(first + i, length))
                .toList();
    }

    /** The beginnings of all prompts that are to be stored before anything is measured. */
    List<List<Integer>> stored(ComparedEngine engine) {
        return IntStream.rangeClosed(0, rounds)
                .boxed()
                .flatMap(round -> cases(engine).stream()
                        .filter(one -> one.storedTokens() > 0)
                        .flatMap(one -> prompts(one, round, one.storedTokens()).stream()))
                .toList();
    }

    /** The options of vLLM's class {@code LLM}. */
    Map<String, Object> options() {
        int longest = prefixes.stream().mapToInt(Integer::intValue).max().orElseThrow();
        Map<String, Object> all = new HashMap<>(Map.of(
                "max_model_len",
                longest + EngineCase.TAIL_TOKENS + tokens,
                "max_num_seqs",
                Math.max(LEAST_SEQUENCES, prompts)));
        if (!MADE.contains(model)) {
            all.putAll(Map.of("dtype", "auto", "enforce_eager", false));
        }
        all.putAll(more);
        return all;
    }

    /** The cases of all these engines, in the order in which they take turns. */
    Stream<EngineCase> turns(List<ComparedEngine> engines) {
        return cases(ComparedEngine.NONE).stream()
                .flatMap(one -> engines.stream().map(one::with));
    }
}
