package dev.kvstore.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RendezvousTest {
    @Property(tries = 200)
    void oneThatLeavesMovesOnlyTheKeysItHad(
            @ForAll long key, @ForAll @IntRange(min = 2, max = 12) int count, @ForAll @IntRange(max = 11) int gone) {
        List<Integer> all = IntStream.range(0, count).boxed().toList();
        List<Integer> rest = all.stream().filter(i -> i != gone % count).toList();
        int before = winner(key, all);
        if (before != gone % count) {
            assertThat(winner(key, rest)).isEqualTo(before);
        }
    }

    @Property(tries = 200)
    void oneThatGrowsTakesKeysAndGivesNone(
            @ForAll long key, @ForAll @IntRange(min = 1, max = 1000) int weight, @ForAll @IntRange(max = 7) int grown) {
        List<Integer> all = IntStream.range(0, 8).boxed().toList();
        int before = winner(key, all);
        int after = all.stream()
                .max(Comparator.comparingDouble(i -> Rendezvous.score(key, seed(i), i == grown ? weight : 1)))
                .orElseThrow();
        assertThat(after).isIn(before, grown);
    }

    @Test
    void keysGoToEachInProportionToItsWeight() {
        double[] weights = {1, 2, 3, 4};
        int[] won = new int[4];
        int keys = 100_000;
        for (int i = 0; i < keys; i++) {
            long key = Rendezvous.seed("conversation-" + i);
            won[
                    IntStream.range(0, 4)
                            .boxed()
                            .max(Comparator.comparingDouble(p -> Rendezvous.score(key, seed(p), weights[p])))
                            .orElseThrow()]++;
        }
        for (int p = 0; p < 4; p++) {
            assertThat((double) won[p] / keys).isCloseTo(weights[p] / 10, within(0.01));
        }
    }

    @Property
    void aUnitLiesBetweenZeroAndOne(@ForAll long bits) {
        assertThat(Rendezvous.unit(bits)).isGreaterThan(0).isLessThan(1);
    }

    private static int winner(long key, List<Integer> processes) {
        return processes.stream()
                .max(Comparator.comparingDouble(i -> Rendezvous.score(key, seed(i), 1)))
                .orElseThrow();
    }

    private static long seed(int process) {
        return Rendezvous.seed("127.0.0.1:" + (8085 + process));
    }
}
