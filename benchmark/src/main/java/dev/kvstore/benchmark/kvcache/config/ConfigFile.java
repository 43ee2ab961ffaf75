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
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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
    private static final Predicate<String> UNUSED_BY_ORIGINAL = Pattern.compile("(generation_timing|validation_limits"
                    + "|saturation_detection|sharegpt|gpu_backend)\\..*"
                    + "|conversation\\.end_conversation_probability"
                    + "|autoscaler\\.(scale_up_factor|scale_down_factor|consecutive_samples_required)"
                    + "|prefix_cache\\.(min_prefix_length|max_prefix_entries)"
                    + "|qos_profiles\\..*\\.(priority|target_latency_p99+_ms)")
            .asMatchPredicate();

    /** Keys of shares; other numbers with a fraction are 0 or more. */
    private static final Predicate<String> SHARE = Pattern.compile(
                    ".*(_probability|_ratio|responsive_threshold|memory_fraction|free_memory_threshold)")
            .asMatchPredicate();

    /** Keys of whole numbers that may be 0; others are 1 or more. */
    private static final Predicate<String> ZERO_TOO = Pattern.compile("(validation_limits|qos_profiles)\\..*"
                    + "|prefix_cache\\.min_prefix_length|rag\\.max_documents|eviction\\.max_recursion_depth")
            .asMatchPredicate();

    private static final String MODELS = "model_configs";
    private static final String GPU = "gpu_backend";
    private static final String ALL_OF_GPU =
            "{memory_fraction: 1, free_memory_threshold: 0, max_eviction_attempts: " + Integer.MAX_VALUE + "}";

    static final WorkloadConfig USUAL = usual();

    public ConfigFile {
        withoutEffect = List.copyOf(withoutEffect);
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
            check(sections, defaults(), "", compat ? UNUSED_BY_ORIGINAL : _ -> false, unused);
            return new ConfigFile(bound(sections), unused);
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException("--config: " + file + ": " + key(e) + cause(e), e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("--config: " + file + ": is no YAML: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("--config: " + file + ": cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--config: " + file + ": " + e.getMessage(), e);
        }
    }

    private static String key(JsonMappingException failure) {
        return failure.getPath().stream()
                .map(JsonMappingException.Reference::getFieldName)
                .collect(Collectors.joining(".", "", ": "));
    }

    private static String cause(JsonMappingException failure) {
        return failure.getCause() instanceof IllegalArgumentException wrong
                ? String.valueOf(wrong.getMessage())
                : failure.getOriginalMessage();
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
        Map<String, Model> models = Models.known();
        for (Map.Entry<String, JsonNode> model : file.path(MODELS).properties()) {
            models.put(model.getKey(), Models.of(model.getKey(), model.getValue(), models.get(model.getKey())));
        }
        file.remove(MODELS);
        put(file, all);
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

    /**
     * Checks that each key is known and has a value of the kind that it usually has.
     *
     * @param unused keys that are taken out of the section, with what it leaves empty, and added to {@code found}
     * @throws IllegalArgumentException for a key that is unknown or has a value that cannot be; the message names it
     */
    private static void check(
            ObjectNode section, ObjectNode usual, String path, Predicate<String> unused, List<String> found) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(section.properties())) {
            String key = path + entry.getKey();
            JsonNode value = entry.getValue();
            JsonNode known = usual.path(entry.getKey());
            if (key.equals(MODELS)) {
                requireSection(key, value);
            } else if (known instanceof ObjectNode keys) {
                check(requireSection(key, value), keys, key + ".", unused, found);
                if (value.isEmpty() && !found.isEmpty()) {
                    section.remove(entry.getKey());
                }
            } else if (known.isMissingNode()) {
                throw new IllegalArgumentException("unknown key " + key + "; known are "
                        + (path.isEmpty() ? MODELS + ", " : "")
                        + usual.propertyStream().map(Map.Entry::getKey).collect(Collectors.joining(", ")));
            } else {
                check(key, value, known);
                if (unused.test(key)) {
                    section.remove(entry.getKey());
                    found.add(key);
                }
            }
        }
    }

    private static ObjectNode requireSection(String key, JsonNode value) {
        if (value instanceof ObjectNode section) {
            return section;
        }
        throw new IllegalArgumentException(key + ": must be a section with keys, not " + value);
    }

    private static void check(String key, JsonNode value, JsonNode usual) {
        if (usual.isArray()) {
            boolean range = value.size() == 2
                    && value.get(0).isNumber()
                    && value.get(1).isNumber()
                    && value.get(0).asDouble() <= value.get(1).asDouble();
            require(range, key, "a list of two numbers, the lesser one first", value);
        } else if (usual.isTextual()) {
            require(value.isTextual(), key, "a text", value);
        } else if (usual.isIntegralNumber()) {
            require(value.isIntegralNumber(), key, "a whole number", value);
            long least = ZERO_TOO.test(key) ? 0 : 1;
            require(value.asLong() >= least, key, least + " or more", value);
        } else {
            require(value.isNumber(), key, "a number", value);
            boolean share = SHARE.test(key);
            boolean fits = value.asDouble() >= 0 && (!share || value.asDouble() <= 1);
            require(fits, key, share ? "0 to 1" : "0 or more", value);
        }
    }

    private static void require(boolean holds, String key, String sentence, JsonNode value) {
        if (!holds) {
            throw new IllegalArgumentException(key + ": must be " + sentence + ", not " + value);
        }
    }
}
