package dev.kvstore.benchmark.kvcache.block;

import java.util.Map;

/**
 * How fast a GPU computes the KV cache of a prompt, so that reading from storage can be compared with it. A model, no
 * measurement: {@code seconds = tokens / tokensPerSecond}, and unless the rate is given
 * {@code tokensPerSecond = FLOP/s / (2 x parameters)}. Two floating-point operations a parameter and token are those of
 * a forward pass (Kaplan et al., "Scaling Laws for Neural Language Models", 2020, section 2.1); of a mixture of experts
 * the active parameters count, as the models' cards have them. FLOP/s are half of the 989.4 TFLOP/s that NVIDIA's data
 * sheet gives for one H100 SXM in dense BF16. Attention over the prompt itself is left out: it makes long prompts
 * slower to compute, so that the savings are understated.
 *
 * @param tokensPerSecond above 0
 */
public record PrefillModel(double tokensPerSecond) {
    private static final double FLOPS = 0.5 * 989.4e12;
    private static final double FLOP_PER_PARAMETER = 2;

    private static final Map<String, Double> ACTIVE_PARAMETERS = Map.of(
            "tiny-1b", 1.1e9,
            "mistral-7b", 7.25e9,
            "llama2-7b", 6.74e9,
            "llama3.1-8b", 8.03e9,
            "llama3.1-70b-instruct", 70.6e9,
            "deepseek-v3", 37e9,
            "qwen3-32b", 32.8e9,
            "gpt-oss-120b", 5.1e9,
            "gpt-oss-20b", 3.6e9);

    /** @throws IllegalArgumentException for a model that is not known */
    public static PrefillModel of(String model) {
        Double parameters = ACTIVE_PARAMETERS.get(model);
        if (parameters == null) {
            throw new IllegalArgumentException(
                    "--prefill-rate: is missing; how fast " + model + " computes is not known");
        }
        return new PrefillModel(FLOPS / (FLOP_PER_PARAMETER * parameters));
    }

    public double seconds(long tokens) {
        return tokens / tokensPerSecond;
    }
}
