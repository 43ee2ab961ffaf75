package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of a model that decide how large its KV cache is. With multi-head and grouped-query attention each layer
 * keeps a key and a value for each of its KV heads; with multi-head latent attention it keeps one compressed vector and
 * one positional key.
 *
 * @param title for people
 * @param layers of the transformer
 * @param kvHeads heads that have keys and values of their own
 * @param headDimension numbers in one key or value of one head
 * @param latent numbers that a layer keeps of a token with latent attention; 0 if it has keys and values
 * @param elementBytes 1, 2 or 4
 */
public record Model(String title, long layers, long kvHeads, long headDimension, long latent, int elementBytes) {
    private static final Map<String, Integer> ELEMENT_BYTES =
            Map.of("float32", 4, "float16", 2, "bfloat16", 2, "int8", 1);

    /** The nine models of the original, in its order, by the names that {@code --model} takes; the caller may add some. */
    static Map<String, Model> known() {
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
        long hidden = size(path, node, "hidden_dim", 0);
        long heads = size(path, node, "num_heads", 0);
        if (dimension == 0) {
            dimension = hidden > 0 && heads > 0 ? hidden / heads : usual.headDimension;
        }
        String attention = node.path("attention_type").asText(usual.latent > 0 ? "mla" : "mha");
        long latent = size(path, node, "kv_lora_rank", 512) + size(path, node, "qk_rope_head_dim", 64);
        Integer elementBytes = ELEMENT_BYTES.get(node.path("dtype").asText("float16"));
        if (elementBytes == null) {
            throw new IllegalArgumentException(path + ".dtype: must be float32, float16, bfloat16 or int8, not "
                    + node.path("dtype").asText());
        }
        return new Model(
                node.path("name").asText(name),
                size(path, node, "num_layers", usual.layers),
                size(path, node, "kv_heads", usual.kvHeads),
                dimension,
                attention.equals("mla") ? latent : 0,
                elementBytes);
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

    /** Bytes that one token takes in all layers. */
    public long bytesPerToken() {
        return latent > 0 ? layers * latent * elementBytes : layers * kvHeads * headDimension * 2 * elementBytes;
    }

    /** Bytes of an entry on one of {@code tensorParallel} ranks that share it equally. */
    public long entryBytes(long tokens, int tensorParallel) {
        return bytesPerToken() * tokens / tensorParallel;
    }
}
