package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which order cases are measured, and what comes of a case that fails. */
class RoundsTest {
    private final List<String> done = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final List<String> flaws = new ArrayList<>();

    private Rounds<String, Integer> rounds(int cases, int count) {
        BenchProgress progress = new BenchProgress(said::add, InstantSource.fixed(Instant.EPOCH));
        progress.plan(Rounds.steps(cases, count));
        return new Rounds<>(progress, flaws::add);
    }

    @Test
    void eachIsWarmedUpWhichDoesNotCountAndThenAllAreMeasuredInTurn() throws Exception {
        Rounds<String, Integer> rounds = rounds(2, 2);

        rounds.run(List.of("ours", "theirs"), 2, (one, round) -> {
            done.add(one + round);
            return round;
        });

        assertThat(done).containsExactly("ours0", "theirs0", "ours1", "theirs1", "ours2", "theirs2");
        assertThat(rounds.found()).containsEntry("ours", List.of(1, 2)).containsEntry("theirs", List.of(1, 2));
        assertThat(said.getLast()).isEqualTo("6/6, 0 s left: round 2 of 2: theirs");
    }

    @Test
    void aCaseThatFailsIsLeftOutAndTheOthersGoOn() throws Exception {
        Rounds<String, Integer> rounds = rounds(2, 2);

        rounds.run(List.of("ours", "theirs"), 2, (one, round) -> {
            if (one.equals("theirs") && round == 2) {
                throw new IllegalStateException("block 7 is missing");
            }
            return round;
        });

        assertThat(rounds.found()).containsOnlyKeys("ours");
        assertThat(flaws).containsExactly("theirs: block 7 is missing");
        assertThat(said).contains("FAILED: theirs: block 7 is missing");
    }
}
