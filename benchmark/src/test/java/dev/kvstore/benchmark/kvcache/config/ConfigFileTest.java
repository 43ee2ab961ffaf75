package dev.kvstore.benchmark.kvcache.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.GenerationMode;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.QosTarget;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.RagRules;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.ScaleRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The config file of the original. */
class ConfigFileTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private ConfigFile read(String yaml, boolean compat) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yaml"), yaml);
        return ConfigFile.read(file, compat);
    }

    private WorkloadConfig honest(String yaml) throws IOException {
        return read(yaml, false).config();
    }

    @Test
    void anEmptyFileChangesNothing() throws IOException {
        assertThat(honest("")).isEqualTo(WorkloadConfig.usual());
    }

    @Test
    void whatAFileDoesNotSayStaysAsItIs() throws IOException {
        WorkloadConfig config = honest("eviction: {target_usage_ratio: 0.7}");

        assertThat(config.eviction().targetUsageRatio()).isEqualTo(0.7);
        assertThat(config.eviction().maxEvictionsHardCap()).isEqualTo(5_000);
        assertThat(config.personas()).isEqualTo(WorkloadConfig.usual().personas());
    }

    @Test
    void aPersonaIsAsTheFileSays() throws IOException {
        WorkloadConfig config = honest("""
                user_templates:
                  coding:
                    context_range: [10, 20]
                    generation_range: [1, 2]
                    think_time_range: [0.5, 1]
                """);

        assertThat(config.personas().get(1).contextRange().most()).isEqualTo(20);
        assertThat(config.personas().get(1).generationRange().least()).isEqualTo(1);
        assertThat(config.personas().get(1).thinkTimeRange().most()).isEqualTo(1);
    }

    @Test
    void aModelIsAdded() throws IOException {
        WorkloadConfig config = honest(
                "model_configs: {mine: {num_layers: 2, kv_heads: 3, hidden_dim: 64, num_heads: 4, dtype: int8}}");

        assertThat(config.models())
                .containsEntry("mine", new Model("mine", 2, 3, 16, 0, 1))
                .hasSize(10);
    }

    @Test
    void aModelWithLatentAttentionIsAdded() throws IOException {
        WorkloadConfig config = honest(
                "model_configs: {mine: {num_layers: 2, attention_type: mla, kv_lora_rank: 100, qk_rope_head_dim: 28}}");

        assertThat(Objects.requireNonNull(config.models().get("mine")).bytesPerToken())
                .isEqualTo(2 * 128 * 2);
    }

    @Test
    void aKnownModelIsChanged() throws IOException {
        WorkloadConfig config = honest("model_configs: {tiny-1b: {num_layers: 1}}");

        assertThat(Objects.requireNonNull(config.models().get("tiny-1b")).bytesPerToken())
                .isEqualTo(2_048);
    }

    @Test
    void keysThatTheOriginalDoesNotLookAtWork() throws IOException {
        WorkloadConfig config = honest("""
                generation_timing: {fast: 0.005}
                qos_profiles: {batch: {priority: 9, target_latency_p95_ms: 7, target_latency_p99_ms: 8,
                  target_latency_p999_ms: 10, target_latency_p9999_ms: 11}}
                conversation: {end_conversation_probability: 0.5}
                validation_limits: {max_users: 7}
                gpu_backend: {memory_fraction: 0.7, max_eviction_attempts: 3}
                prefix_cache: {min_prefix_length: 20, max_prefix_entries: 2}
                """);

        assertThat(config.secondsPerToken(GenerationMode.FAST)).isEqualTo(0.005);
        assertThat(config.target(QosClass.BATCH)).isEqualTo(new QosTarget(7, 8, 10, 11, 9));
        assertThat(config.conversation().endConversationProbability()).isEqualTo(0.5);
        assertThat(config.validationLimits().maxUsers()).isEqualTo(7);
        assertThat(config.gpuBackend().usable()).isEqualTo(0.7);
        assertThat(config.gpuBackend().maxEvictionAttempts()).isEqualTo(3);
        assertThat(config.prefixCache()).isEqualTo(new WorkloadConfig.PrefixRules(20, 2, 0.2));
        assertThat(config.systemPrompts()).hasSize(2);
    }

    @Test
    void asTheOriginalCountsTheyDoNotAndThatIsSaid() throws IOException {
        ConfigFile file = read("""
                generation_timing: {fast: 0.005}
                qos_profiles: {batch: {priority: 9, target_latency_p95_ms: 7}}
                conversation: {end_conversation_probability: 0.5}
                validation_limits: {max_users: 7}
                """, true);

        assertThat(file.config().secondsPerToken(GenerationMode.FAST)).isEqualTo(0.002);
        assertThat(file.config().target(QosClass.BATCH)).isEqualTo(new QosTarget(7, 5_000, 7_500, 10_000, 1));
        assertThat(file.config().conversation().endConversationProbability()).isEqualTo(0.2);
        assertThat(file.config().validationLimits().maxUsers()).isEqualTo(100_000);
        assertThat(file.withoutEffect())
                .containsExactly(
                        "generation_timing.fast",
                        "qos_profiles.batch.priority",
                        "conversation.end_conversation_probability",
                        "validation_limits.max_users");
    }

    @Test
    void aGpuKeepsMemoryFreeIfTheFileSaysSo() throws IOException {
        assertThat(honest("gpu_backend: {free_memory_threshold: 0.25}")
                        .gpuBackend()
                        .usable())
                .isEqualTo(0.75);
        assertThat(honest("").gpuBackend().usable()).isEqualTo(1);
    }

    @Test
    void everyKeyOfTheOriginalHasAnEffect() throws IOException {
        assertThat(read("""
                        gpu_backend: {memory_fraction: 0.5}
                        prefix_cache: {min_prefix_length: 1}
                        qos_profiles: {batch: {target_latency_p999_ms: 1}}
                        """, false).withoutEffect()).isEmpty();
        assertThat(read("gpu_backend: {memory_fraction: 0.5}", true).withoutEffect())
                .containsExactly("gpu_backend.memory_fraction");
    }

    @Test
    void sectionsOfAutoscalersDocumentsAndDatasetsWork() throws IOException {
        WorkloadConfig config = honest("""
                autoscaler: {min_users: 2, max_users: 30, scale_up_factor: 2, scale_down_factor: 0.5, consecutive_samples_required: 3}
                saturation_detection: {read_latency_p95_threshold_ms: 1, write_latency_p95_threshold_ms: 2,
                  queue_depth_threshold: 3, history_window_size: 4}
                rag: {chunk_size_tokens: 1, top_k_chunks: 2, max_chunk_bytes: 3, request_probability: 0.4, max_documents: 5,
                  retrieval_distribution: random, large_model_doc_tokens_min: 6, large_model_doc_tokens_max: 7,
                  small_model_doc_tokens_min: 8, small_model_doc_tokens_max: 9}
                sharegpt: {max_context_tokens: 10, max_generation_tokens: 11, chars_per_token_estimate: 12}
                """);

        assertThat(config.autoscaler()).isEqualTo(new ScaleRules(2, 30, 2, 0.5, 3));
        assertThat(config.saturationDetection()).isEqualTo(new WorkloadConfig.Thresholds(1, 2, 3, 4));
        assertThat(config.rag()).isEqualTo(new RagRules(1, 2, 3, 5, 0.4, "random", 6, 7, 8, 9));
        assertThat(config.sharegpt()).isEqualTo(new WorkloadConfig.DatasetTokens(10, 11, 12));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "evictoin: {} | unknown key evictoin; known are model_configs, user_templates, generation_timing, qos_profiles,"
                        + " qos_distribution, eviction, gpu_backend, prefix_cache, rag, conversation, autoscaler, decode,"
                        + " sharegpt, saturation_detection, validation_limits",
                "decode: {batchsize: 1} | unknown key decode.batchsize; known are batch_size",
                "decode: {batch_size: x} | decode.batch_size: must be a whole number, not \"x\"",
                "decode: {batch_size: 1.5} | decode.batch_size: must be a whole number, not 1.5",
                "decode: {batch_size: 0} | decode.batch_size: must be 1 or more, not 0",
                "decode: 3 | decode: must be a section with keys, not 3",
                "qos_distribution: {interactive_probability: 1.5} | qos_distribution.interactive_probability: must be 0 to 1,"
                        + " not 1.5",
                "user_templates: {coding: {context_range: [5]}} | user_templates.coding.context_range: must be a list of two"
                        + " numbers, the lesser one first, not [5]",
                "user_templates: {coding: {context_range: [9, 5]}} | user_templates.coding.context_range: must be a list of two"
                        + " numbers, the lesser one first, not [9,5]",
                "user_templates: {coding: {context_range: [0, 5]}} | user_templates.coding.context_range: must be 1 or more,"
                        + " and not 0 alone, not [0,5]",
                "autoscaler: {min_users: 9, max_users: 5} | autoscaler.max_users: must be 9 or more, not 5",
                "autoscaler: {scale_down_factor: 1} | autoscaler.scale_down_factor: must be 0.001 to 0.999, not 1",
                "rag: {retrieval_distribution: best} | rag.retrieval_distribution: must be zipfian or uniform or random, not"
                        + " \"best\"",
                "model_configs: {mine: {dtype: int4}} | model_configs.mine.dtype: must be float32, float16, bfloat16 or int8,"
                        + " not int4",
                "model_configs: {mine: {num_layers: -1}} | model_configs.mine.num_layers: must be 0 to 1000000, not -1",
                "model_configs: {mine: 1} | model_configs.mine: must be a section with keys",
                "[1] | must have sections with keys",
            })
    void refusesWhatCannotBeByName(String yaml, String sentence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> honest(yaml))
                .withMessage("--config: " + folder.resolve("config.yaml") + ": " + sentence);
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigFile.read(folder.resolve("none.yaml"), false))
                .withMessage("--config: " + folder.resolve("none.yaml") + ": cannot be read");
    }

    @Test
    void refusesAFileThatIsNoYaml() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> honest("{a: ["))
                .withMessageStartingWith("--config: " + folder.resolve("config.yaml") + ": is no YAML: ");
    }
}
