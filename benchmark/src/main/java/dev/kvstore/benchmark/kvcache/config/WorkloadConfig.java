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
 * The numbers that the config file may change, by the names of its sections and keys.
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
    public record Persona(TokenRange contextRange, TokenRange generationRange, SecondsRange thinkTimeRange) {
        public Persona {
            if (contextRange.least() < 1
                    || generationRange.least() < 1
                    || thinkTimeRange.least() < 0
                    || thinkTimeRange.most() <= 0) {
                throw new IllegalArgumentException("contexts and generations must be 1 or more, think times above 0");
            }
        }
    }

    /** Both ends are in it. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    public record TokenRange(long least, long most) {}

    /** Both ends are in it. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    public record SecondsRange(double least, double most) {}

    /**
     * The classes of users.
     *
     * @param responsiveThreshold the probability of interactive and responsive together
     */
    public record QosDistribution(double interactiveProbability, double responsiveThreshold) {}

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

    /** @param endConversationProbability that a user begins a new conversation after a turn */
    public record ConversationRules(int maxConversations, int maxTurnsPerConv, double endConversationProbability) {}

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
            int historyWindowSize) {
        public Thresholds {
            if (!(readP95Millis > 0 && writeP95Millis > 0)) {
                throw new IllegalArgumentException("thresholds of latencies must be above 0");
            }
        }
    }

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
