package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A config file as read.
 *
 * @param withoutEffect keys in it that nothing looks at
 */
public record ConfigFile(WorkloadConfig config, List<String> withoutEffect) {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    /** Keys that the original reads and never uses. Here they work, except in {@code --compat}. */
    private static final String UNUSED_BY_ORIGINAL = "(generation_timing|validation_limits"
            + "|saturation_detection|sharegpt|gpu_backend)\\..*"
            + "|conversation\\.end_conversation_probability"
            + "|autoscaler\\.(scale_up_factor|scale_down_factor|consecutive_samples_required)"
            + "|prefix_cache\\.(min_prefix_length|max_prefix_entries)"
            + "|qos_profiles\\..*\\.(priority|target_latency_p99+_ms)";

    /** The ranges of numbers, by patterns of their keys. Other whole numbers are 1 or more, other fractions 0 or more. */
    private static final Map<String, String> RANGES = ranges();

    private static final List<String> DISTRIBUTIONS = List.of("zipfian", "uniform", "random");
    private static final String MODELS = "model_configs";
    private static final String GPU = "gpu_backend";
    private static final String ALL_OF_GPU =
            "{memory_fraction: 1, free_memory_threshold: 0, max_eviction_attempts: " + Integer.MAX_VALUE + "}";

    static final WorkloadConfig USUAL = usual();

    public ConfigFile {
        withoutEffect = List.copyOf(withoutEffect);
    }

    private static Map<String, String> ranges() {
        Map<String, String> ranges = new LinkedHashMap<>();
        ranges.put(".*(_probability|_ratio|responsive_threshold|memory_fraction|free_memory_threshold)", "0 to 1");
        ranges.put("autoscaler\\.scale_up_factor", "1.001 to 100");
        ranges.put("autoscaler\\.scale_down_factor", "0.001 to 0.999");
        ranges.put("saturation_detection\\..*_ms", "0.001 to 1000000000");
        ranges.put("rag\\..*_doc_tokens_(min|max)", "1 to 10000000");
        ranges.put("(validation_limits|qos_profiles)\\..*|prefix_cache\\.min_prefix_length", "0 or more");
        ranges.put("rag\\.max_documents|eviction\\.max_recursion_depth", "0 or more");
        return ranges;
    }

    private static WorkloadConfig usual() {
        try {
            return bound(YAML.createObjectNode());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads one.
     *
     * @param compat whether the keys that the original does not look at are left alone too
     * @throws IllegalArgumentException if it cannot be read or says something that cannot be; the message names file
     *     and key
     */
    public static ConfigFile read(Path file, boolean compat) {
        try {
            JsonNode root = YAML.readTree(Files.readString(file));
            if (root.isMissingNode() || root.isNull()) {
                root = YAML.createObjectNode();
            }
            if (!(root instanceof ObjectNode sections)) {
                throw new IllegalArgumentException("must have sections with keys");
            }
            List<String> unused = new ArrayList<>();
            check(sections, defaults(), "", compat ? UNUSED_BY_ORIGINAL : "", unused);
            return new ConfigFile(bound(sections), unused);
        } catch (JsonProcessingException e) {
            String kind = e instanceof JsonMappingException ? "cannot be: " : "is no YAML: ";
            throw new IllegalArgumentException("--config: " + file + ": " + kind + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("--config: " + file + ": cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--config: " + file + ": " + e.getMessage(), e);
        }
    }

    private static ObjectNode defaults() {
        return YamlResource.read(ConfigFile.class, "usual.yaml");
    }

    /** The usual values, and those of a file, which was checked, in their place. */
    private static WorkloadConfig bound(ObjectNode file) throws IOException {
        ObjectNode all = defaults();
        if (!file.has(GPU)) {
            all.set(GPU, YAML.readTree(ALL_OF_GPU));
        }
        Map<String, Model> models = Model.known();
        for (Map.Entry<String, JsonNode> model : file.path(MODELS).properties()) {
            models.put(model.getKey(), Model.of(model.getKey(), model.getValue(), models.get(model.getKey())));
        }
        file.remove(MODELS);
        put(file, all);
        requireOrder(all, "/autoscaler/min_users", "/autoscaler/max_users");
        requireOrder(all, "/rag/large_model_doc_tokens_min", "/rag/large_model_doc_tokens_max");
        requireOrder(all, "/rag/small_model_doc_tokens_min", "/rag/small_model_doc_tokens_max");
        all.set("models", YAML.valueToTree(models));
        return YAML.treeToValue(all, WorkloadConfig.class);
    }

    private static void put(ObjectNode from, ObjectNode to) {
        from.properties().forEach(entry -> {
            if (entry.getValue() instanceof ObjectNode section) {
                put(section, (ObjectNode) to.path(entry.getKey()));
            } else {
                to.set(entry.getKey(), entry.getValue());
            }
        });
    }

    private static void requireOrder(ObjectNode all, String least, String most) {
        String key = most.substring(1).replace('/', '.');
        require(all.at(least).asLong() <= all.at(most).asLong(), key, all.at(least) + " or more", all.at(most));
    }

    /**
     * Checks that each key is known and has a value of the kind that it usually has.
     *
     * @param unused pattern of keys that are taken out of the section, with what it leaves empty, and added to
     *     {@code found}
     * @throws IllegalArgumentException for a key that is unknown or has a value that cannot be; the message names it
     */
    private static void check(ObjectNode section, ObjectNode usual, String path, String unused, List<String> found) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(section.properties())) {
            String key = path + entry.getKey();
            JsonNode value = entry.getValue();
            JsonNode known = usual.path(entry.getKey());
            boolean isSection = key.equals(MODELS) || known.isObject();
            require(!isSection || value.isObject(), key, "a section with keys", value);
            if (known instanceof ObjectNode keys) {
                check((ObjectNode) value, keys, key + ".", unused, found);
                if (value.isEmpty() && !found.isEmpty()) {
                    section.remove(entry.getKey());
                }
            } else if (!isSection && known.isMissingNode()) {
                throw new IllegalArgumentException("unknown key " + key + "; known are "
                        + (path.isEmpty() ? MODELS + ", " : "")
                        + usual.propertyStream().map(Map.Entry::getKey).collect(Collectors.joining(", ")));
            } else if (!isSection) {
                check(key, value, known);
                if (key.matches(unused)) {
                    section.remove(entry.getKey());
                    found.add(key);
                }
            }
        }
    }

    private static void check(String key, JsonNode value, JsonNode usual) {
        if (usual.isArray()) {
            boolean range = value.size() == 2
                    && value.get(0).isNumber()
                    && value.get(1).isNumber()
                    && value.get(0).asDouble() <= value.get(1).asDouble();
            require(range, key, "a list of two numbers, the lesser one first", value);
            int least = usual.get(0).isIntegralNumber() ? 1 : 0;
            boolean fits = value.get(0).asDouble() >= least && value.get(1).asDouble() > 0;
            require(fits, key, least + " or more, and not 0 alone", value);
        } else if (usual.isTextual()) {
            require(DISTRIBUTIONS.contains(value.textValue()), key, String.join(" or ", DISTRIBUTIONS), value);
        } else {
            boolean whole = usual.isIntegralNumber();
            require(
                    whole ? value.isIntegralNumber() : value.isNumber(),
                    key,
                    whole ? "a whole number" : "a number",
                    value);
            String range = RANGES.entrySet().stream()
                    .filter(rule -> key.matches(rule.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(whole ? "1 or more" : "0 or more");
            String[] ends = range.split(" (to|or) ", 2);
            double most = ends[1].equals("more") ? Double.POSITIVE_INFINITY : Double.parseDouble(ends[1]);
            boolean fits = value.asDouble() >= Double.parseDouble(ends[0]) && value.asDouble() <= most;
            require(fits, key, range, value);
        }
    }

    private static void require(boolean holds, String key, String sentence, JsonNode value) {
        if (!holds) {
            throw new IllegalArgumentException(key + ": must be " + sentence + ", not " + value);
        }
    }
}
