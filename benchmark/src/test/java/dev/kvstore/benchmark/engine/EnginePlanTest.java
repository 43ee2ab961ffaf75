package dev.kvstore.benchmark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnginePlanTest {
    private static final EnginePlan PLAN =
            new EnginePlan(List.of(512, 1024), List.of(0.0, 0.5, 1.0), 2, 16, 3, "slow", 4, Map.of());

    @ParameterizedTest
    @CsvSource({"1024, 0, 0", "1024, 0.5, 512", "1024, 1, 1024", "768, 0.5, 512", "1024, 0.1, 0"})
    void aPartOfAPrefixIsStoredInWholeChunks(int prefix, double ratio, int stored) {
        assertThat(new EngineCase(ComparedEngine.KVSTORE, prefix, ratio).storedTokens())
                .isEqualTo(stored);
    }

    @Test
    void noTwoPromptsOfARunBeginAlike() {
        List<Integer> seeds = new ArrayList<>();
        for (int round = 0; round <= PLAN.rounds(); round++) {
            for (EngineCase one : PLAN.cases(ComparedEngine.KVSTORE)) {
                PLAN.prompts(one, round, 100).forEach(prompt -> seeds.add(prompt.getFirst()));
            }
        }

        // One prompt of each case warms up, and two are measured in each round.
        assertThat(seeds).hasSize(6 * (1 + 3 * 2)).doesNotHaveDuplicates();
    }

    @Test
    void allEnginesHaveTheSamePrompts() {
        EngineCase one = new EngineCase(ComparedEngine.KVSTORE, 1024, 0.5);

        assertThat(PLAN.prompts(one.with(ComparedEngine.NONE), 2, 100)).isEqualTo(PLAN.prompts(one, 2, 100));
    }

    @Test
    void theBeginningsOfPromptsAreStoredBefore() {
        List<List<Integer>> stored = PLAN.stored(ComparedEngine.KVSTORE);

        EngineCase half = new EngineCase(ComparedEngine.KVSTORE, 1024, 0.5);
        assertThat(stored).containsAll(PLAN.prompts(half, 3, 512)).hasSize(4 * (1 + 3 * 2));
    }

    @Test
    void enginesTakeTurnsWithEachKindOfPrompts() {
        assertThat(PLAN.turns(List.of(ComparedEngine.NONE, ComparedEngine.KVSTORE)))
                .startsWith(
                        new EngineCase(ComparedEngine.NONE, 512, 0),
                        new EngineCase(ComparedEngine.KVSTORE, 512, 0),
                        new EngineCase(ComparedEngine.NONE, 512, 0.5))
                .hasSize(12);
    }

    @Test
    void aModelOfOnesOwnHasVllmsTypesAndOptionsThatAreNamedWin() {
        EnginePlan own =
                new EnginePlan(List.of(512), List.of(1.0), 9, 16, 1, "/models/llama", 4, Map.of("max_model_len", 9000));

        assertThat(PLAN.options()).containsEntry("max_model_len", 1104).doesNotContainKey("dtype");
        assertThat(own.options())
                .containsEntry("max_model_len", 9000)
                .containsEntry("max_num_seqs", 9)
                .containsEntry("dtype", "auto");
    }
}
