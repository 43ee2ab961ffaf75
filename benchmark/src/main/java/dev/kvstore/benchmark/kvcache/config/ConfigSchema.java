package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The keys that a config file may have, with their types: those of the original, so that its own file is one. */
final class ConfigSchema {
    /** Keys that the original reads and never uses. Here they work, except in {@code --compat}. */
    private static final Set<String> WITHOUT_EFFECT_IN_COMPAT = Set.of(
            "generation_timing",
            "validation_limits",
            "conversation.end_conversation_probability",
            "autoscaler.scale_up_factor",
            "autoscaler.scale_down_factor",
            "autoscaler.consecutive_samples_required",
            "saturation_detection",
            "sharegpt",
            "gpu_backend",
            "prefix_cache.min_prefix_length",
            "prefix_cache.max_prefix_entries");

    private static final Map<String, ValueType> KEYS = keys();

    private enum ValueType {
        WHOLE("a whole number"),
        NUMBER("a number"),
        RANGE("a list of two numbers, the lesser one first"),
        TEXT("a text");

        private final String description;

        ValueType(String description) {
            this.description = description;
        }

        private boolean fits(JsonNode value) {
            return switch (this) {
                case WHOLE -> value.isIntegralNumber();
                case NUMBER -> value.isNumber();
                case TEXT -> value.isTextual();
                case RANGE ->
                    value.isArray()
                            && value.size() == 2
                            && value.get(0).isNumber()
                            && value.get(1).isNumber()
                            && value.get(0).asDouble() <= value.get(1).asDouble();
            };
        }
    }

    private ConfigSchema() {}

    private static Map<String, ValueType> keys() {
        Map<String, ValueType> keys = new LinkedHashMap<>();
        for (String user : List.of("chatbot", "coding", "document")) {
            add(
                    keys,
                    ValueType.RANGE,
                    "user_templates." + user,
                    "context_range",
                    "generation_range",
                    "think_time_range");
        }
        add(keys, ValueType.NUMBER, "generation_timing", "none", "fast", "realistic");
        for (String qos : List.of("interactive", "responsive", "batch")) {
            String section = "qos_profiles." + qos;
            add(keys, ValueType.NUMBER, section, "target_latency_p95_ms", "target_latency_p99_ms");
            add(keys, ValueType.NUMBER, section, "target_latency_p999_ms", "target_latency_p9999_ms");
            add(keys, ValueType.WHOLE, section, "priority");
        }
        add(keys, ValueType.NUMBER, "qos_distribution", "interactive_probability", "responsive_threshold");
        add(keys, ValueType.WHOLE, "eviction", "max_recursion_depth", "max_evictions_hard_cap", "max_evictions_min");
        add(keys, ValueType.NUMBER, "eviction", "target_usage_ratio", "large_entry_limit_ratio");
        add(keys, ValueType.WHOLE, "gpu_backend", "max_eviction_attempts");
        add(keys, ValueType.NUMBER, "gpu_backend", "memory_fraction", "free_memory_threshold");
        add(keys, ValueType.WHOLE, "prefix_cache", "min_prefix_length", "max_prefix_entries");
        add(keys, ValueType.NUMBER, "prefix_cache", "system_prompt_hit_probability");
        add(keys, ValueType.WHOLE, "rag", "chunk_size_tokens", "top_k_chunks", "max_chunk_bytes", "max_documents");
        add(keys, ValueType.WHOLE, "rag", "large_model_doc_tokens_min", "large_model_doc_tokens_max");
        add(keys, ValueType.WHOLE, "rag", "small_model_doc_tokens_min", "small_model_doc_tokens_max");
        add(keys, ValueType.NUMBER, "rag", "request_probability");
        add(keys, ValueType.TEXT, "rag", "retrieval_distribution");
        add(keys, ValueType.WHOLE, "conversation", "max_conversations", "max_turns_per_conv");
        add(keys, ValueType.NUMBER, "conversation", "end_conversation_probability");
        add(keys, ValueType.WHOLE, "autoscaler", "min_users", "max_users", "consecutive_samples_required");
        add(keys, ValueType.NUMBER, "autoscaler", "scale_up_factor", "scale_down_factor");
        add(keys, ValueType.WHOLE, "decode", "batch_size");
        add(
                keys,
                ValueType.WHOLE,
                "sharegpt",
                "max_context_tokens",
                "max_generation_tokens",
                "chars_per_token_estimate");
        add(keys, ValueType.NUMBER, "saturation_detection", "read_latency_p95_threshold_ms");
        add(keys, ValueType.NUMBER, "saturation_detection", "write_latency_p95_threshold_ms");
        add(keys, ValueType.WHOLE, "saturation_detection", "queue_depth_threshold", "history_window_size");
        add(keys, ValueType.WHOLE, "validation_limits", "max_users", "max_duration_seconds");
        add(keys, ValueType.WHOLE, "validation_limits", "max_gpu_memory_gb", "max_cpu_memory_gb");
        return keys;
    }

    private static void add(Map<String, ValueType> keys, ValueType type, String section, String... names) {
        for (String name : names) {
            keys.put(section + "." + name, type);
        }
    }

    /**
     * Every key of the file that has a value, models left out.
     *
     * @throws IllegalArgumentException for a key that is unknown or has a value of another type; the message names it
     */
    static List<String> check(JsonNode file) {
        List<String> found = new ArrayList<>();
        check(file, "", found);
        return found;
    }

    private static void check(JsonNode node, String path, List<String> found) {
        node.properties().forEach(entry -> {
            String key = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
            ValueType type = KEYS.get(key);
            if (key.equals("model_configs")) {
                requireSection(key, entry.getValue());
            } else if (type != null) {
                if (!type.fits(entry.getValue())) {
                    throw new IllegalArgumentException(
                            key + ": must be " + type.description + ", not " + entry.getValue());
                }
                found.add(key);
            } else if (KEYS.keySet().stream().anyMatch(known -> known.startsWith(key + "."))) {
                requireSection(key, entry.getValue());
                check(entry.getValue(), key, found);
            } else {
                throw new IllegalArgumentException("unknown key " + key + "; known are " + siblings(path));
            }
        });
    }

    private static void requireSection(String key, JsonNode value) {
        if (!value.isObject()) {
            throw new IllegalArgumentException(key + ": must be a section with keys, not " + value);
        }
    }

    private static String siblings(String path) {
        String prefix = path.isEmpty() ? "" : path + ".";
        List<String> names = new ArrayList<>(KEYS.keySet().stream()
                .filter(known -> known.startsWith(prefix))
                .map(known -> known.substring(prefix.length()).replaceFirst("\\..*", ""))
                .distinct()
                .toList());
        if (path.isEmpty()) {
            names.addFirst("model_configs");
        }
        return String.join(", ", names);
    }

    /** Whether nothing looks at a key. */
    static boolean isWithoutEffect(String key, boolean compat) {
        return compat
                && (isIn(WITHOUT_EFFECT_IN_COMPAT, key)
                        || key.endsWith(".priority")
                        || key.matches("qos_profiles\\..*_p99(9{0,2})_ms"));
    }

    private static boolean isIn(Set<String> keys, String key) {
        return keys.stream().anyMatch(one -> key.equals(one) || key.startsWith(one + "."));
    }
}
