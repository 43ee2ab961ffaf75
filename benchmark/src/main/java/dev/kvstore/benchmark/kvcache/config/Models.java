package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nine models of the original, in its order, and those of a config file. */
public final class Models {
    private static final String LATENT = "mla";

    private Models() {}

    /** By the names that {@code --model} takes; the caller may add some. */
    public static Map<String, Model> known() {
        Map<String, Model> all = new LinkedHashMap<>();
        all.put("tiny-1b", new Model("Tiny 1B", 12, 4, 128, 0, 2));
        all.put("mistral-7b", new Model("Mistral 7B", 32, 8, 128, 0, 2));
        all.put("llama2-7b", new Model("Llama 2 7B", 32, 32, 128, 0, 2));
        all.put("llama3.1-8b", new Model("Llama 3.1 8B", 32, 8, 128, 0, 2));
        all.put("llama3.1-70b-instruct", new Model("Llama 3.1 70B Instruct", 80, 8, 128, 0, 2));
        all.put("deepseek-v3", new Model("DeepSeek V3", 61, 128, 56, 512 + 64, 2));
        all.put("qwen3-32b", new Model("Qwen3 32B", 64, 8, 128, 0, 2));
        all.put("gpt-oss-120b", new Model("GPT OSS 120B (MoE)", 36, 8, 64, 0, 2));
        all.put("gpt-oss-20b", new Model("GPT OSS 20B (MoE)", 24, 8, 64, 0, 2));
        return all;
    }

    /**
     * A model of {@code model_configs}. A key that the file leaves out keeps its value of the known model of that name,
     * else of the original's usual model.
     *
     * @throws IllegalArgumentException for a value that cannot be; the message names the key
     */
    static Model of(String name, JsonNode node, @Nullable Model known) {
        String path = "model_configs." + name;
        if (!node.isObject()) {
            throw new IllegalArgumentException(path + ": must be a section with keys");
        }
        Model usual = known == null ? new Model(name, 32, 8, 128, 0, 2) : known;
        long dimension = size(path, node, "kv_dim_per_head", 0);
        if (dimension == 0) {
            long hidden = size(path, node, "hidden_dim", 0);
            long heads = size(path, node, "num_heads", 0);
            dimension = hidden > 0 && heads > 0 ? hidden / heads : usual.headDimension();
        }
        boolean latent = node.path("attention_type")
                .asText(usual.latent() > 0 ? LATENT : "mha")
                .equals(LATENT);
        return new Model(
                node.path("name").asText(name),
                size(path, node, "num_layers", usual.layers()),
                size(path, node, "kv_heads", usual.kvHeads()),
                dimension,
                latent ? size(path, node, "kv_lora_rank", 512) + size(path, node, "qk_rope_head_dim", 64) : 0,
                elementBytes(path, node.path("dtype").asText("float16")));
    }

    private static long size(String path, JsonNode node, String key, long usual) {
        JsonNode value = node.path(key);
        if (value.isMissingNode()) {
            return usual;
        }
        if (!value.isIntegralNumber() || value.asLong() < 0 || value.asLong() > 1_000_000) {
            throw new IllegalArgumentException(path + "." + key + ": must be 0 to 1000000, not " + value);
        }
        return value.asLong();
    }

    private static int elementBytes(String path, String type) {
        return switch (type) {
            case "float32" -> 4;
            case "float16", "bfloat16" -> 2;
            case "int8" -> 1;
            default ->
                throw new IllegalArgumentException(
                        path + ".dtype: must be float32, float16, bfloat16 or int8, not " + type);
        };
    }
}
