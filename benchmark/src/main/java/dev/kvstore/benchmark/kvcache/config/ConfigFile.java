package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.FlagLimits;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.GenerationMode;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.GpuRules;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.PrefixRules;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.Thresholds;
import dev.kvstore.benchmark.kvcache.model.Model;
import dev.kvstore.benchmark.kvcache.model.Models;
import dev.kvstore.benchmark.kvcache.policy.EvictionRules;
import dev.kvstore.benchmark.kvcache.replay.Dataset;
import dev.kvstore.benchmark.kvcache.scale.ScaleRules;
import dev.kvstore.benchmark.kvcache.workload.Persona;
import dev.kvstore.benchmark.kvcache.workload.QosClass;
import dev.kvstore.benchmark.kvcache.workload.QosTarget;
import dev.kvstore.benchmark.kvcache.workload.RagRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A config file as read.
 *
 * @param withoutEffect keys in it that nothing looks at
 */
public record ConfigFile(WorkloadConfig config, List<String> withoutEffect) {
    private static final long MOST_DOCUMENT_TOKENS = 10_000_000;
    private static final String DEFAULT_DIMENSION = "kv_dim_per_head";

    public ConfigFile {
        withoutEffect = List.copyOf(withoutEffect);
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
            JsonNode tree = new YAMLMapper().readTree(Files.readString(file));
            JsonNode root = tree == null || tree.isMissingNode() || tree.isNull()
                    ? JsonNodeFactory.instance.objectNode()
                    : tree;
            if (!root.isObject()) {
                throw new IllegalArgumentException("must have sections with keys");
            }
            List<String> keys = ConfigSchema.check(root);
            return new ConfigFile(
                    new ConfigReader(root, compat).config(),
                    keys.stream()
                            .filter(key -> ConfigSchema.isWithoutEffect(key, compat))
                            .toList());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("--config: " + file + ": is no YAML: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("--config: " + file + ": cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--config: " + file + ": " + e.getMessage(), e);
        }
    }

    private record ConfigReader(JsonNode root, boolean compat) {
        private WorkloadConfig config() {
            WorkloadConfig usual = WorkloadConfig.usual();
            double interactive = share("/qos_distribution/interactive_probability", usual.interactiveProbability());
            double responsive = share("/qos_distribution/responsive_threshold", usual.responsiveThreshold());
            return new WorkloadConfig(
                    models(),
                    Persona.USUAL.stream().map(this::persona).toList(),
                    targets(),
                    interactive,
                    responsive,
                    eviction(),
                    share("/prefix_cache/system_prompt_hit_probability", usual.systemPromptProbability()),
                    atLeastOne("/conversation/max_conversations", usual.maxConversations()),
                    atLeastOne("/conversation/max_turns_per_conv", usual.maxTurns()),
                    compat
                            ? usual.endProbability()
                            : share("/conversation/end_conversation_probability", usual.endProbability()),
                    atLeastOne("/decode/batch_size", usual.decodeBatch()),
                    generation(),
                    compat ? FlagLimits.USUAL : limits(),
                    scaling(),
                    saturation(),
                    rag(),
                    compat ? Dataset.DatasetTokens.USUAL : tokens(),
                    compat ? GpuRules.USUAL : gpu(),
                    compat ? PrefixRules.USUAL : prefixes());
        }

        private ScaleRules scaling() {
            ScaleRules usual = ScaleRules.USUAL;
            int least = atLeastOne("/autoscaler/min_users", usual.leastUsers());
            int most = atLeastOne("/autoscaler/max_users", usual.mostUsers());
            if (most < least) {
                throw new IllegalArgumentException("autoscaler.max_users: must be at least min_users, not " + most);
            }
            if (compat) {
                return new ScaleRules(least, most, usual.up(), usual.down(), usual.samples(), 0);
            }
            double up = root.at("/autoscaler/scale_up_factor").asDouble(usual.up());
            double down = root.at("/autoscaler/scale_down_factor").asDouble(usual.down());
            if (!(up > 1 && up <= 100)) {
                throw new IllegalArgumentException("autoscaler.scale_up_factor: must be above 1 up to 100, not " + up);
            }
            if (!(down > 0 && down < 1)) {
                throw new IllegalArgumentException(
                        "autoscaler.scale_down_factor: must be above 0 and below 1, not " + down);
            }
            return new ScaleRules(
                    least,
                    most,
                    up,
                    down,
                    atLeastOne("/autoscaler/consecutive_samples_required", usual.samples()),
                    usual.leastStep());
        }

        /** If the section is there, missing keys have the original's values. */
        private GpuRules gpu() {
            if (root.path("gpu_backend").isMissingNode()) {
                return GpuRules.USUAL;
            }
            double usable = Math.min(
                    share("/gpu_backend/memory_fraction", 0.9), 1 - share("/gpu_backend/free_memory_threshold", 0.1));
            return new GpuRules(usable, atLeastOne("/gpu_backend/max_eviction_attempts", 100));
        }

        private PrefixRules prefixes() {
            int least = root.at("/prefix_cache/min_prefix_length").asInt(PrefixRules.USUAL.leastTokens());
            if (least < 0) {
                throw new IllegalArgumentException("prefix_cache.min_prefix_length: must be 0 or more, not " + least);
            }
            return new PrefixRules(
                    least, atLeastOne("/prefix_cache/max_prefix_entries", PrefixRules.USUAL.mostPrompts()));
        }

        private RagRules rag() {
            RagRules usual = RagRules.USUAL;
            String retrieval = root.at("/rag/retrieval_distribution").asText("zipfian");
            long bytes = root.at("/rag/max_chunk_bytes").asLong(usual.maxChunkBytes());
            int documents = root.at("/rag/max_documents").asInt(usual.maxDocuments());
            if (bytes < 1) {
                throw new IllegalArgumentException("rag.max_chunk_bytes: must be 1 or more, not " + bytes);
            }
            if (documents < 0) {
                throw new IllegalArgumentException("rag.max_documents: must be 0 or more, not " + documents);
            }
            return new RagRules(
                    atLeastOne("/rag/chunk_size_tokens", usual.chunkTokens()),
                    atLeastOne("/rag/top_k_chunks", usual.topChunks()),
                    bytes,
                    share("/rag/request_probability", usual.probability()),
                    switch (retrieval) {
                        case "zipfian" -> RagRules.Retrieval.ZIPFIAN;
                        case "uniform", "random" -> RagRules.Retrieval.UNIFORM;
                        default ->
                            throw new IllegalArgumentException(
                                    "rag.retrieval_distribution: must be zipfian, uniform or random, not " + retrieval);
                    },
                    documents,
                    range("large_model_doc_tokens", usual.large()),
                    range("small_model_doc_tokens", usual.small()));
        }

        private RagRules.Range range(String name, RagRules.Range usual) {
            long least = root.at("/rag/" + name + "_min").asLong(usual.least());
            long most = root.at("/rag/" + name + "_max").asLong(usual.most());
            if (least < 1 || most < least || most > MOST_DOCUMENT_TOKENS) {
                throw new IllegalArgumentException("rag." + name + "_min: must be 1 or more and at most " + name
                        + "_max, which may be " + MOST_DOCUMENT_TOKENS + "; not " + least + " and " + most);
            }
            return new RagRules.Range(least, most);
        }

        private Dataset.DatasetTokens tokens() {
            Dataset.DatasetTokens usual = Dataset.DatasetTokens.USUAL;
            return new Dataset.DatasetTokens(
                    atLeastOne("/sharegpt/max_context_tokens", (int) usual.mostContext()),
                    atLeastOne("/sharegpt/max_generation_tokens", (int) usual.mostAnswer()),
                    atLeastOne("/sharegpt/chars_per_token_estimate", usual.charactersPerToken()));
        }

        private Thresholds saturation() {
            Thresholds usual = Thresholds.USUAL;
            return new Thresholds(
                    threshold("read_latency_p95_threshold_ms", usual.readP95Millis()),
                    threshold("write_latency_p95_threshold_ms", usual.writeP95Millis()),
                    atLeastOne("/saturation_detection/queue_depth_threshold", usual.queue()),
                    atLeastOne("/saturation_detection/history_window_size", usual.samples()));
        }

        private double threshold(String key, double usual) {
            double millis = root.at("/saturation_detection/" + key).asDouble(usual);
            if (!(millis > 0)) {
                throw new IllegalArgumentException("saturation_detection." + key + ": must be above 0, not " + millis);
            }
            return millis;
        }

        private Map<String, Model> models() {
            Map<String, Model> models = new LinkedHashMap<>(Models.known());
            root.path("model_configs").properties().forEach(entry -> {
                if (!entry.getValue().isObject()) {
                    throw new IllegalArgumentException(
                            "model_configs." + entry.getKey() + ": must be a section with keys");
                }
                models.put(entry.getKey(), model(entry.getKey(), entry.getValue(), models.get(entry.getKey())));
            });
            return models;
        }

        /**
         * A model. A key that the file leaves out keeps its value of the known model of that name, else of the
         * original's usual model.
         */
        private static Model model(String name, JsonNode node, @Nullable Model known) {
            String path = "model_configs." + name;
            long layers = size(path, node, "num_layers", known == null ? 32 : known.layers());
            long kvHeads = size(path, node, "kv_heads", known == null ? 8 : known.kvHeads());
            long dimension = size(path, node, DEFAULT_DIMENSION, 0);
            if (dimension == 0) {
                long hidden = size(path, node, "hidden_dim", 0);
                long heads = size(path, node, "num_heads", 0);
                dimension = hidden > 0 && heads > 0 ? hidden / heads : known == null ? 128 : known.headDimension();
            }
            String attention = node.path("attention_type").asText(known != null && known.latent() > 0 ? "mla" : "mha");
            long latent = 0;
            if (attention.equals("mla")) {
                latent = size(path, node, "kv_lora_rank", 512) + size(path, node, "qk_rope_head_dim", 64);
            }
            int bytes = elementBytes(path, node.path("dtype").asText("float16"));
            return new Model(node.path("name").asText(name), layers, kvHeads, dimension, latent, bytes);
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

        private Persona persona(Persona usual) {
            JsonNode node = root.at("/user_templates/" + usual.name());
            JsonNode context = node.path("context_range");
            JsonNode generation = node.path("generation_range");
            JsonNode think = node.path("think_time_range");
            Persona read = new Persona(
                    usual.name(),
                    context.path(0).asLong(usual.leastContext()),
                    context.path(1).asLong(usual.mostContext()),
                    generation.path(0).asLong(usual.leastGeneration()),
                    generation.path(1).asLong(usual.mostGeneration()),
                    think.path(0).asDouble(usual.leastThink()),
                    think.path(1).asDouble(usual.mostThink()));
            if (read.leastContext() < 1
                    || read.leastGeneration() < 1
                    || read.leastThink() < 0
                    || read.mostThink() <= 0) {
                throw new IllegalArgumentException("user_templates." + usual.name()
                        + ": contexts and generations must be 1 or more, think times above 0");
            }
            return read;
        }

        private Map<QosClass, QosTarget> targets() {
            Map<QosClass, QosTarget> targets = new EnumMap<>(QosClass.class);
            for (QosClass qos : QosClass.values()) {
                JsonNode node = root.at("/qos_profiles/" + qos);
                QosTarget usual = qos.usual();
                targets.put(
                        qos,
                        new QosTarget(
                                node.path("target_latency_p95_ms").asDouble(usual.p95Millis()),
                                node.path("target_latency_p99_ms").asDouble(usual.p99Millis()),
                                node.path("target_latency_p999_ms").asDouble(usual.p999Millis()),
                                node.path("target_latency_p9999_ms").asDouble(usual.p9999Millis()),
                                compat
                                        ? usual.priority()
                                        : node.path("priority").asInt(usual.priority())));
            }
            return targets;
        }

        private EvictionRules eviction() {
            EvictionRules usual = EvictionRules.USUAL;
            return new EvictionRules(
                    root.at("/eviction/max_recursion_depth").asInt(usual.maxRecursionDepth()),
                    share("/eviction/target_usage_ratio", usual.targetUsageRatio()),
                    share("/eviction/large_entry_limit_ratio", usual.largeEntryLimitRatio()),
                    atLeastOne("/eviction/max_evictions_hard_cap", usual.maxEvictionsHardCap()),
                    atLeastOne("/eviction/max_evictions_min", usual.maxEvictionsMin()));
        }

        private Map<GenerationMode, Double> generation() {
            Map<GenerationMode, Double> seconds = WorkloadConfig.usualGeneration();
            if (!compat) {
                seconds.replaceAll((mode, usual) -> root.at(
                                "/generation_timing/" + mode.name().toLowerCase(Locale.ROOT))
                        .asDouble(usual));
            }
            return seconds;
        }

        private FlagLimits limits() {
            FlagLimits usual = FlagLimits.USUAL;
            return new FlagLimits(
                    root.at("/validation_limits/max_users").asLong(usual.users()),
                    root.at("/validation_limits/max_duration_seconds").asLong(usual.durationSeconds()),
                    root.at("/validation_limits/max_gpu_memory_gb").asLong(usual.gpuGib()),
                    root.at("/validation_limits/max_cpu_memory_gb").asLong(usual.cpuGib()));
        }

        private double share(String pointer, double usual) {
            double value = root.at(pointer).asDouble(usual);
            if (value < 0 || value > 1) {
                throw new IllegalArgumentException(key(pointer) + ": must be 0 to 1, not " + value);
            }
            return value;
        }

        private int atLeastOne(String pointer, int usual) {
            int value = root.at(pointer).asInt(usual);
            if (value < 1) {
                throw new IllegalArgumentException(key(pointer) + ": must be 1 or more, not " + value);
            }
            return value;
        }

        private static String key(String pointer) {
            return pointer.substring(1).replace('/', '.');
        }
    }
}
