package dev.kvstore.benchmark.engine;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a case, and what follows from them.
 *
 * @param rounds in the order in which they were measured, one or more
 * @param timesWithoutStore tokens a second over those of the engine without a store, of each round, so that both sides
 *     had the same machine; null for the engine without a store itself, and where that was not measured
 */
record EngineFigures(
        @JsonUnwrapped EngineCase of,
        List<EngineRound> rounds,
        @Nullable Spread timesWithoutStore) {
    private static final double HALF = 0.5;
    private static final double NINE_TENTHS = 0.9;

    /**
     * The prompts of a case, all at once.
     *
     * @param seconds until the last of them had its last token
     * @param promptTokens of all prompts
     * @param generatedTokens of all prompts
     * @param firstTokenSeconds from a prompt's arrival to its first token, of each
     * @param hitTokens tokens that were loaded instead of computed, as vLLM counts them
     * @param servedBlocks blocks that KV Store's data plane found meanwhile, of which it may want one for itself
     */
    record EngineRound(
            double seconds,
            long promptTokens,
            long generatedTokens,
            List<Double> firstTokenSeconds,
            long hitTokens,
            long servedBlocks) {
        EngineRound {
            firstTokenSeconds = List.copyOf(firstTokenSeconds);
        }

        double tokensPerSecond() {
            return (promptTokens + generatedTokens) / seconds;
        }
    }

    EngineFigures {
        rounds = List.copyOf(rounds);
    }

    /** @param without the rounds of the engine without a store, with the same prompts; empty for that engine itself */
    static EngineFigures of(EngineCase of, List<EngineRound> rounds, List<EngineRound> without) {
        double[] ratios = IntStream.range(0, Math.min(rounds.size(), without.size()))
                .mapToDouble(
                        i -> rounds.get(i).tokensPerSecond() / without.get(i).tokensPerSecond())
                .toArray();
        return new EngineFigures(of, rounds, ratios.length == 0 ? null : Spread.of(ratios));
    }

    /** Tokens of prompts and outputs. */
    @JsonProperty
    Spread tokensPerSecond() {
        return Spread.of(rounds, EngineRound::tokensPerSecond);
    }

    @JsonProperty
    Spread generatedTokensPerSecond() {
        return Spread.of(rounds, round -> round.generatedTokens() / round.seconds());
    }

    /** Half of all prompts of all rounds had their first token within this time. */
    @JsonProperty
    double firstTokenSecondsP50() {
        return firstTokenWithin(HALF);
    }

    @JsonProperty
    double firstTokenSecondsP90() {
        return firstTokenWithin(NINE_TENTHS);
    }

    private double firstTokenWithin(double share) {
        List<Double> sorted = rounds.stream()
                .flatMap(round -> round.firstTokenSeconds().stream())
                .sorted()
                .toList();
        return sorted.get((int) Math.ceil(sorted.size() * share) - 1);
    }
}
