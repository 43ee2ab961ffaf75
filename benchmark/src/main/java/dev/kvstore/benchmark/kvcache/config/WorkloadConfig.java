package dev.kvstore.benchmark.kvcache.config;

import dev.kvstore.benchmark.kvcache.model.Model;
import dev.kvstore.benchmark.kvcache.model.Models;
import dev.kvstore.benchmark.kvcache.policy.EvictionRules;
import dev.kvstore.benchmark.kvcache.replay.Dataset;
import dev.kvstore.benchmark.kvcache.scale.ScaleRules;
import dev.kvstore.benchmark.kvcache.workload.Persona;
import dev.kvstore.benchmark.kvcache.workload.QosClass;
import dev.kvstore.benchmark.kvcache.workload.QosTarget;
import dev.kvstore.benchmark.kvcache.workload.RagRules;
import dev.kvstore.benchmark.kvcache.workload.SystemPrompt;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures that the config file may change.
 *
 * @param personas the original draws among them with equal chances
 * @param interactiveProbability of a user
 * @param responsiveThreshold the probability of interactive and responsive together
 * @param systemPromptProbability that a request begins with one of the shared prompts
 * @param endProbability that a user begins a new conversation after a turn
 * @param decodeBatch tokens that are generated from one read of the entry
 * @param generationSeconds a token, by the names of {@code --generation-mode}
 * @param limits of flags
 * @param scaling of users
 * @param saturation from where on autoscalers take storage for saturated
 * @param rag documents, and how often requests look into them
 * @param gpu how a simulated GPU's memory is used
 * @param prefixes which shared prompts are shared
 * @param datasetTokens how the texts of a dataset become tokens
 */
public record WorkloadConfig(
        Map<String, Model> models,
        List<Persona> personas,
        Map<QosClass, QosTarget> targets,
        double interactiveProbability,
        double responsiveThreshold,
        EvictionRules eviction,
        double systemPromptProbability,
        int maxConversations,
        int maxTurns,
        double endProbability,
        int decodeBatch,
        Map<GenerationMode, Double> generationSeconds,
        FlagLimits limits,
        ScaleRules scaling,
        Thresholds saturation,
        RagRules rag,
        Dataset.DatasetTokens datasetTokens,
        GpuRules gpu,
        PrefixRules prefixes) {

    /** How fast tokens come. */
    public enum GenerationMode {
        NONE(0.0),
        FAST(0.002),
        REALISTIC(0.030);

        private final double seconds;

        GenerationMode(double seconds) {
            this.seconds = seconds;
        }
    }

    /** The most that flags may say. */
    public record FlagLimits(long users, long durationSeconds, long gpuGib, long cpuGib) {
        /** The limits in the original's code; it does not read those of its config file. */
        public static final FlagLimits USUAL = new FlagLimits(100_000, 86_400, 65_536, 131_072);
    }

    /**
     * The thresholds above which storage is saturated.
     *
     * @param queue requests that wait
     * @param samples of the queue's length in an interval; their mean counts
     */
    public record Thresholds(double readP95Millis, double writeP95Millis, int queue, int samples) {
        /** The thresholds of the original. */
        public static final Thresholds USUAL = new Thresholds(100, 50, 100, 10);
    }

    /**
     * How a simulated GPU's memory is used.
     *
     * @param usable of it, above 0 up to 1, for entries
     * @param mostEvictions one entry causes fewer; an entry that needs as many goes to the tier below
     */
    public record GpuRules(double usable, int mostEvictions) {
        /** All of it: its size is what entries may take. */
        public static final GpuRules USUAL = new GpuRules(1, Integer.MAX_VALUE);
    }

    /**
     * The shared prompts that conversations begin with.
     *
     * @param leastTokens shorter ones are not looked for as blocks
     * @param mostPrompts different ones
     */
    public record PrefixRules(int leastTokens, int mostPrompts) {
        /** All. */
        public static final PrefixRules USUAL = new PrefixRules(0, 1_000);
    }

    public WorkloadConfig {
        personas = List.copyOf(personas);
        models = Collections.unmodifiableMap(new LinkedHashMap<>(models));
        targets = new EnumMap<>(targets);
        generationSeconds = new EnumMap<>(generationSeconds);
    }

    /** Without a file. */
    public static WorkloadConfig usual() {
        return new WorkloadConfig(
                Models.known(),
                Persona.USUAL,
                usualTargets(),
                0.15,
                0.50,
                EvictionRules.USUAL,
                0.2,
                1_000,
                50,
                0.2,
                32,
                usualGeneration(),
                FlagLimits.USUAL,
                ScaleRules.USUAL,
                Thresholds.USUAL,
                RagRules.USUAL,
                Dataset.DatasetTokens.USUAL,
                GpuRules.USUAL,
                PrefixRules.USUAL);
    }

    static Map<QosClass, QosTarget> usualTargets() {
        Map<QosClass, QosTarget> targets = new EnumMap<>(QosClass.class);
        for (QosClass qos : QosClass.values()) {
            targets.put(qos, qos.usual());
        }
        return targets;
    }

    static Map<GenerationMode, Double> usualGeneration() {
        Map<GenerationMode, Double> seconds = new EnumMap<>(GenerationMode.class);
        for (GenerationMode mode : GenerationMode.values()) {
            seconds.put(mode, mode.seconds);
        }
        return seconds;
    }

    /** The prompts that requests may begin with. */
    public List<SystemPrompt> systemPrompts() {
        return SystemPrompt.USUAL.subList(0, Math.min(SystemPrompt.USUAL.size(), prefixes.mostPrompts()));
    }

    public QosTarget target(QosClass qos) {
        return targets.getOrDefault(qos, qos.usual());
    }

    /** Seconds that a token takes to come. */
    public double secondsPerToken(GenerationMode mode) {
        return generationSeconds.getOrDefault(mode, mode.seconds);
    }
}
