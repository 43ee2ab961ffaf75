package dev.kvstore.benchmark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.engine.EngineFigures.EngineRound;
import dev.kvstore.benchmark.report.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineReportTest {
    private static final EngineCase WITHOUT = new EngineCase(ComparedEngine.NONE, 1024, 0.5);
    private static final EngineCase WITH = WITHOUT.with(ComparedEngine.KVSTORE);

    @Test
    void tokensASecondAreThoseOfPromptsAndOutputs() {
        EngineFigures figures = EngineFigures.of(WITHOUT, List.of(round(2, 0.5)), List.of());

        assertThat(figures.tokensPerSecond().median()).isEqualTo((2 * 1088 + 2 * 16) / 2.0);
        assertThat(figures.generatedTokensPerSecond().median()).isEqualTo(16);
    }

    @Test
    void timesToTheFirstTokenAreThoseOfAllPromptsOfAllRounds() {
        EngineFigures figures =
                EngineFigures.of(WITHOUT, List.of(round(2, 0.1, 0.2, 0.9), round(2, 0.3, 0.4)), List.of());

        assertThat(figures.firstTokenSecondsP50()).isEqualTo(0.3);
        assertThat(figures.firstTokenSecondsP90()).isEqualTo(0.9);
    }

    @Test
    void theRatioIsTheMedianOfTheRatiosOfEachRound() {
        // The ratio of the medians would be 2.
        EngineFigures figures = EngineFigures.of(
                WITH,
                List.of(round(1, 0.1), round(2, 0.1), round(3, 0.1)),
                List.of(round(10, 1.0), round(4, 1.0), round(3, 1.0)));

        assertThat(figures.timesWithoutStore()).isEqualTo(new Spread(2, 1, 10));
    }

    @Test
    void anEngineWithoutAStoreIsNotComparedWithItself() {
        assertThat(EngineFigures.of(WITHOUT, List.of(round(2, 0.5)), List.of()).timesWithoutStore())
                .isNull();
    }

    @Test
    void theTableHasALineForEachEngineAndSaysWhyLmcacheIsMissing() {
        EngineReport report = report(List.of());

        assertThat(report.holds()).isTrue();
        assertThat(report.text())
                .containsPattern("prefix of 1,024, 50 % stored +without a store +1,104 +16 +0\\.5 +0\\.5\n")
                .containsPattern("prefix of 1,024, 50 % stored +KV Store +2,208 +2 +32 +0\\.2 +0\\.2\n")
                .contains("; vllm 0.32.0, kvstore_vllm 0.2.0\n")
                .containsPattern("LMCache\\swas\\snot\\smeasured:\\sit\\sis\\snot\\sinstalled")
                .containsPattern("Each\\sprompt\\shad\\sthe\\ssame\\soutput");
    }

    @Test
    void anotherOutputFailsTheRun() {
        EngineReport report = report(List.of("KV Store, round 1: 1 of 2 prompts had another output"));

        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("FAILED: KV Store, round 1: 1 of 2").doesNotContain("Each prompt had");
    }

    @Test
    void theJsonHasTheCaseItsRoundsAndWhatFollowsFromThem() {
        JsonNode json =
                new ObjectMapper().valueToTree(report(List.of())).get("cases").get(1);

        assertThat(json.get("engine").asText()).isEqualTo("kvstore");
        assertThat(json.get("prefixTokens").asInt()).isEqualTo(1024);
        assertThat(json.get("hitRatio").asDouble()).isEqualTo(0.5);
        assertThat(json.at("/rounds/0/hitTokens").asInt()).isEqualTo(1024);
        assertThat(json.at("/tokensPerSecond/median").asDouble()).isEqualTo(2208);
        assertThat(json.at("/timesWithoutStore/median").asDouble()).isEqualTo(2);
        assertThat(json.get("firstTokenSecondsP90").asDouble()).isEqualTo(0.2);
    }

    private static EngineRound round(double seconds, Double... firstTokenSeconds) {
        return new EngineRound(seconds, 2 * 1088, 2 * 16, List.of(firstTokenSeconds), 1024, 8);
    }

    private static EngineReport report(List<String> flaws) {
        List<EngineRound> without = List.of(round(2, 0.5));
        return new EngineReport(
                new EngineReport.EngineConditions(
                        2, List.of("vllm 0.32.0", "kvstore_vllm 0.2.0"), "slow", 2, 16, 1, 4, 0.1),
                List.of(
                        EngineFigures.of(WITHOUT, without, List.of()),
                        EngineFigures.of(WITH, List.of(round(1, 0.2)), without)),
                "it is not installed",
                flaws,
                false);
    }
}
