package dev.kvstore.benchmark.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.measure.StoredPrompts;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final StoredPrompts STOCK = new StoredPrompts("turns", 4, 16, 512);

    @Test
    void everyBlockHasItsTurnBeforeOneHasItsSecond() {
        Turns turns = new Turns(STOCK, 0, 1);
        Set<Object> seen = new HashSet<>();

        IntStream.range(0, STOCK.blocks())
                .forEach(_ -> seen.add(turns.nextRead().hash()));

        assertThat(seen).hasSize(STOCK.blocks());
        assertThat(seen).contains(turns.nextRead().hash());
    }

    @Test
    void everyBlockIsComparedWhenItIsFirstReadAndThenEach61stRead() {
        Turns turns = new Turns(STOCK, 0, 1);

        assertThat(compared(turns, STOCK.blocks())).isEqualTo(STOCK.blocks());
        // The 64th to the 6,163rd.
        assertThat(compared(turns, 6_100)).isEqualTo(100);
        turns.restart();
        assertThat(compared(turns, STOCK.blocks())).isEqualTo(2);
    }

    @Test
    void aPromptHasTheTurnsOfAllItsBlocks() {
        Turns turns = new Turns(STOCK, 0, 1);

        List<Turns.ReadTurn> prompt = turns.nextPrompt();

        assertThat(prompt).hasSize(STOCK.promptBlocks()).allMatch(Turns.ReadTurn::compared);
        assertThat(prompt)
                .extracting(Turns.ReadTurn::hash)
                .isEqualTo(IntStream.range(0, STOCK.promptBlocks())
                        .mapToObj(STOCK.chains().getFirst()::hash)
                        .toList());
        assertThat(turns.nextPrompt().getFirst().hash())
                .isEqualTo(STOCK.chains().get(1).hash(0));
    }

    @Test
    void processesShareThemInTurn() {
        Turns one = new Turns(STOCK, 0, 2);
        Turns other = new Turns(STOCK, 1, 2);
        Set<Object> seen = new HashSet<>();

        for (int i = 0; i < STOCK.blocks() / 2; i++) {
            seen.add(one.nextRead().hash());
            seen.add(other.nextRead().hash());
        }

        assertThat(seen).hasSize(STOCK.blocks());
    }

    @Test
    void theyBeginAgainAtTheFirst() {
        Turns turns = new Turns(STOCK, 1, 2);
        Turns.ReadTurn first = turns.nextRead();
        turns.nextRead();

        turns.restart();

        assertThat(turns.nextRead().hash()).isEqualTo(first.hash());
    }

    private static long compared(Turns turns, int reads) {
        return IntStream.range(0, reads)
                .filter(_ -> turns.nextRead().compared())
                .count();
    }
}
