package dev.kvstore.benchmark.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final Stock STOCK = new Stock("turns", 4, 512);

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
    void everyBlockIsComparedOnceAndThenEach61stRead() {
        Turns turns = new Turns(STOCK, 1, 2);

        assertThat(IntStream.range(0, STOCK.blocks())
                        .mapToObj(_ -> turns.nextRead())
                        .allMatch(Turns.Turn::compared))
                .isTrue();
        assertThat(IntStream.range(0, 6_100)
                        .filter(_ -> turns.nextRead().compared())
                        .count())
                .isEqualTo(100);
    }

    @Test
    void processesBeginAtDifferentBlocks() {
        assertThat(new Turns(STOCK, 0, 2).nextRead().hash())
                .isNotEqualTo(new Turns(STOCK, 1, 2).nextRead().hash());
    }
}
