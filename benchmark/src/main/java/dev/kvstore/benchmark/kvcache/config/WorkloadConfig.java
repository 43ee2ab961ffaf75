package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The numbers that the config file may change, by the names of its sections and keys; {@link ConfigFile} says which
 * values they may have.
 *
 * @param userTemplates the original draws among them with equal chances, in their order
 * @param generationTiming seconds a token, by the names of {@code --generation-mode}
 */
public record WorkloadConfig(
        Map<String, Model> models,
        Map<String, Persona> userTemplates,
        Map<String, Double> generationTiming,
        Map<String, QosTarget> qosProfiles,
        QosDistribution qosDistribution,
        EvictionRules eviction,
        GpuRules gpuBackend,
        PrefixRules prefixCache,
        RagRules rag,
        ConversationRules conversation,
        ScaleRules autoscaler,
        DecodeRules decode,
        DatasetTokens sharegpt,
        Thresholds saturationDetection,
        FlagLimits validationLimits) {
    /** How fast tokens come. */
    public enum GenerationMode {
        NONE,
        FAST,
        REALISTIC;

        /** The mode's name on the command line and in the config file, such as {@code fast}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A kind of user: tokens of prompts and answers, and seconds between requests. */
    public record Persona(TokenRange contextRange, TokenRange generationRange, SecondsRange thinkTimeRange) {}

    /** Both ends are in it. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    public record TokenRange(long least, long most) {}

    /** Both ends are in it. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    public record SecondsRange(double least, double most) {}

    /**
     * The latencies that a class of requests was promised.
     *
     * @param p95Millis a request that takes longer from end to end violates it
     * @param p99Millis milliseconds that 99 % of the requests may take; the next two for 99.9 % and 99.99 %
     * @param priority requests of a higher one are served first
     */
    public record QosTarget(
            @JsonProperty("target_latency_p95_ms") double p95Millis,
            @JsonProperty("target_latency_p99_ms") double p99Millis,
            @JsonProperty("target_latency_p999_ms") double p999Millis,
            @JsonProperty("target_latency_p9999_ms") double p9999Millis,
            int priority) {
        /** The share of all requests that keep the target of a class that meets it. */
        public static final double MET = 0.95;
    }

    /** @param responsiveThreshold the probability of interactive and responsive together */
    public record QosDistribution(double interactiveProbability, double responsiveThreshold) {}

    /**
     * The numbers of the waterfall.
     *
     * @param maxRecursionDepth how many tiers below one may have to make room for it
     * @param targetUsageRatio of its limit, so much of a tier is filled; the last one is filled whole
     * @param largeEntryLimitRatio an entry larger than so much of a tier's limit goes to the tier below
     * @param maxEvictionsHardCap at most so many entries leave a tier for one that comes
     * @param maxEvictionsMin entries that may be evicted in any case
     */
    public record EvictionRules(
            int maxRecursionDepth,
            double targetUsageRatio,
            double largeEntryLimitRatio,
            int maxEvictionsHardCap,
            int maxEvictionsMin) {}

    /**
     * How a simulated GPU's memory is used; without this section all of it, and without an end of evictions.
     *
     * @param maxEvictionAttempts one entry causes fewer evictions; an entry that needs as many goes to the tier below
     */
    public record GpuRules(double memoryFraction, double freeMemoryThreshold, int maxEvictionAttempts) {
        /** The share of its memory that entries may take. */
        public double usable() {
            return Math.min(memoryFraction, 1 - freeMemoryThreshold);
        }
    }

    /**
     * The shared prompts that conversations begin with.
     *
     * @param minPrefixLength shorter ones are not looked for as blocks
     * @param maxPrefixEntries different ones
     * @param systemPromptHitProbability that a request begins with one of them
     */
    public record PrefixRules(int minPrefixLength, int maxPrefixEntries, double systemPromptHitProbability) {}

    /**
     * A prompt that many requests begin with.
     *
     * @param tokens words of its text
     */
    public record SystemPrompt(String key, int tokens) {
        /** The original's three; their keys have the first 16 digits of the SHA-256 of {@code TEXT_TOKENS}, as there. */
        public static final List<SystemPrompt> USUAL = List.of(
                new SystemPrompt("kv_system_0b7588a77cb9c73b", 5), // You are a helpful assistant.
                new SystemPrompt("kv_system_ea8ffc489f80c165", 9), // You are an AI assistant helping with coding tasks.
                new SystemPrompt("kv_system_2ed87f49657692a2", 6)); // You are a professional writing assistant.
    }

    /**
     * Documents that requests look things up in, and how often.
     *
     * @param chunkSizeTokens of a document's parts; its last one may be shorter
     * @param topKChunks parts that one look into a document finds
     * @param maxChunkBytes a part that would have more is made of fewer tokens
     * @param maxDocuments beyond it the oldest document is deleted; 0 for any number
     * @param requestProbability of a request to look into a document
     * @param retrievalDistribution of the parts that are found: {@code zipfian}, part n in proportion to 1/n, or
     *     {@code uniform} or {@code random}, all equally often
     */
    public record RagRules(
            int chunkSizeTokens,
            @JsonProperty("top_k_chunks") int topKChunks,
            long maxChunkBytes,
            int maxDocuments,
            double requestProbability,
            String retrievalDistribution,
            long largeModelDocTokensMin,
            long largeModelDocTokensMax,
            long smallModelDocTokensMin,
            long smallModelDocTokensMax) {}

    /** @param endConversationProbability that a user begins a new conversation after a turn */
    public record ConversationRules(int maxConversations, int maxTurnsPerConv, double endConversationProbability) {}

    /**
     * The numbers of both autoscalers.
     *
     * @param scaleUpFactor the number of users is multiplied with, when storage can take more
     * @param scaleDownFactor the same when it takes too much
     * @param consecutiveSamplesRequired saturated samples in a row after which users are taken away
     */
    public record ScaleRules(
            int minUsers, int maxUsers, double scaleUpFactor, double scaleDownFactor, int consecutiveSamplesRequired) {
        /** The same, with another highest number of users. */
        public ScaleRules withMost(int users) {
            return new ScaleRules(
                    Math.min(minUsers, users), users, scaleUpFactor, scaleDownFactor, consecutiveSamplesRequired);
        }

        /** The nearest number of users in the range. */
        public int clamp(int users) {
            return Math.clamp(users, minUsers, maxUsers);
        }
    }

    /** @param batchSize tokens that are generated from one read of the entry */
    public record DecodeRules(int batchSize) {}

    /**
     * How texts of a dataset become tokens.
     *
     * @param charsPerTokenEstimate no tokenizer is asked
     */
    public record DatasetTokens(long maxContextTokens, long maxGenerationTokens, int charsPerTokenEstimate) {
        /** Tokens of a text with so many characters, 1 to {@code most}. */
        public long of(int characters, long most) {
            return Math.clamp(characters / charsPerTokenEstimate, 1L, most);
        }
    }

    /**
     * The thresholds above which storage is saturated.
     *
     * @param queueDepthThreshold requests that wait
     * @param historyWindowSize samples of the queue's length in an interval; their mean counts
     */
    public record Thresholds(
            @JsonProperty("read_latency_p95_threshold_ms") double readP95Millis,
            @JsonProperty("write_latency_p95_threshold_ms") double writeP95Millis,
            int queueDepthThreshold,
            int historyWindowSize) {}

    /** The most that flags may say. */
    public record FlagLimits(long maxUsers, long maxDurationSeconds, long maxGpuMemoryGb, long maxCpuMemoryGb) {}

    public WorkloadConfig {
        models = Collections.unmodifiableMap(new LinkedHashMap<>(models));
        userTemplates = Collections.unmodifiableMap(new LinkedHashMap<>(userTemplates));
        generationTiming = Map.copyOf(generationTiming);
        qosProfiles = Map.copyOf(qosProfiles);
    }

    /** Without a file. */
    public static WorkloadConfig usual() {
        return ConfigFile.USUAL;
    }

    /** The kinds of users, in the order from which they are drawn. */
    public List<Persona> personas() {
        return List.copyOf(userTemplates.values());
    }

    /** The prompts that requests may begin with. */
    public List<SystemPrompt> systemPrompts() {
        return SystemPrompt.USUAL.subList(0, Math.min(SystemPrompt.USUAL.size(), prefixCache.maxPrefixEntries()));
    }

    public QosTarget target(QosClass qos) {
        return Objects.requireNonNull(qosProfiles.get(qos.toString()));
    }

    /** Seconds that a token takes to come. */
    public double secondsPerToken(GenerationMode mode) {
        return Objects.requireNonNull(generationTiming.get(mode.toString()));
    }
}
