package dev.kvstore.benchmark.kvcache.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The nine models of the original, in its order, and the table of {@code --list-models}. */
public final class Models {
    /** Tokens of the table's columns: a chat, a document, the longest context of a persona. */
    private static final long[] CONTEXTS = {1_024, 8_192, 25_000};

    private static final double MEBIBYTE = 1 << 20;

    private Models() {}

    /** By the names that {@code --model} takes. */
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
        return Collections.unmodifiableMap(all);
    }

    /** The memory that a token and a user's context take, one model a line. */
    public static String table(Map<String, Model> models) {
        StringBuilder lines = new StringBuilder();
        String heads = "%-24s %14s";
        lines.append(heads.formatted("model", "bytes a token"));
        for (long context : CONTEXTS) {
            lines.append("%16s".formatted(context + " tokens"));
        }
        lines.append('\n');
        models.forEach((name, model) -> {
            lines.append(heads.formatted(name, model.bytesPerToken()));
            for (long context : CONTEXTS) {
                lines.append("%12.1f MiB".formatted(model.entryBytes(context, 1) / MEBIBYTE));
            }
            lines.append('\n');
        });
        return lines.toString();
    }
}
