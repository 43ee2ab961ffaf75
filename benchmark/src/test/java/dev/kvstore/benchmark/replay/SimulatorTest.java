package dev.kvstore.benchmark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.tier.policy.LeastRecentlyUsed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The simulator against what its figures are defined to be. */
final class SimulatorTest {
    /** Prompts as paths in a tree: each block's number stands for all that is before it, too. */
    @Provide
    Arbitrary<List<List<Integer>>> prompts() {
        Arbitrary<List<Integer>> path =
                Arbitraries.integers().between(0, 1).list().ofMinSize(1).ofMaxSize(3);
        return path.map(SimulatorTest::blocks).list().ofMinSize(1).ofMaxSize(6);
    }

    private static List<Integer> blocks(List<Integer> path) {
        List<Integer> blocks = new ArrayList<>();
        int block = 1;
        for (int turn : path) {
            block = 2 * block + turn;
            blocks.add(block);
        }
        return blocks;
    }

    @Property
    void lruKeepsTheBlocksUsedLast(
            @ForAll("prompts") List<List<Integer>> prompts, @ForAll @IntRange(min = 1, max = 8) int capacity) {
        LinkedHashSet<Integer> model = new LinkedHashSet<>();
        int found = 0;
        for (List<Integer> prompt : prompts) {
            found += prefix(prompt, model);
            for (int block : prompt) {
                model.addLast(block);
                if (model.size() > capacity) {
                    model.removeFirst();
                }
            }
        }

        NumberedTrace trace = trace(prompts);
        assertThat(SimulatedTier.hitRatio(trace, capacity, _ -> new LeastRecentlyUsed<>()))
                .isEqualTo((double) found / trace.blocks().length);
    }

    /** Every choice there is, also the one to let a block pass by: none has more hits of blocks, each for itself. */
    @Property(tries = 300)
    void theClairvoyantChoiceHasTheMostHitsOfBlocks(
            @ForAll("prompts") List<List<Integer>> prompts, @ForAll @IntRange(min = 1, max = 3) int capacity) {
        int[] row = prompts.stream().flatMap(List::stream).mapToInt(i -> i).toArray();
        // Prompts of one block: then what is found in one run is what is found at all.
        NumberedTrace each = trace(Arrays.stream(row).mapToObj(List::of).toList());

        double most = (double) mostHits(row, capacity) / row.length;

        assertThat(Clairvoyant.hitRatio(each, capacity)).isEqualTo(most);
    }

    /** By what may be kept at each place, the most hits so far. */
    private static int mostHits(int[] row, int capacity) {
        Map<Set<Integer>, Integer> hits = Map.of(Set.of(), 0);
        for (int block : row) {
            Map<Set<Integer>, Integer> next = new HashMap<>();
            hits.forEach((kept, before) -> {
                boolean hit = kept.contains(block);
                next.merge(kept, before + (hit ? 1 : 0), Math::max);
                if (!hit && kept.size() < capacity) {
                    next.merge(with(kept, block), before, Math::max);
                } else if (!hit) {
                    for (int victim : kept) {
                        Set<Integer> without = new HashSet<>(kept);
                        without.remove(victim);
                        next.merge(with(without, block), before, Math::max);
                    }
                }
            });
            hits = next;
        }
        return Collections.max(hits.values());
    }

    private static Set<Integer> with(Set<Integer> kept, int block) {
        Set<Integer> all = new HashSet<>(kept);
        all.add(block);
        return all;
    }

    @Property
    void whatFindsEverythingFindsWhatWasThereBefore(@ForAll("prompts") List<List<Integer>> prompts) {
        NumberedTrace trace = trace(prompts);
        int enough = trace.blocks().length;
        double unlimited = SimulatedTier.unlimitedHitRatio(trace);

        assertThat(SimulatedTier.hitRatio(trace, enough, _ -> new LeastRecentlyUsed<>()))
                .isEqualTo(unlimited);
        assertThat(Clairvoyant.hitRatio(trace, enough)).isEqualTo(unlimited);
    }

    @Test
    void whatIsKeptBehindAGapDoesNotCount() {
        // Room for two: the third prompt finds its second block and not its first.
        NumberedTrace trace = trace(List.of(List.of(1, 2), List.of(9, 2), List.of(1, 2)));

        assertThat(SimulatedTier.hitRatio(trace, 2, _ -> new LeastRecentlyUsed<>()))
                .isZero();
    }

    private static int prefix(List<Integer> prompt, Set<Integer> kept) {
        int found = 0;
        while (found < prompt.size() && kept.contains(prompt.get(found))) {
            found++;
        }
        return found;
    }

    private static NumberedTrace trace(List<List<Integer>> prompts) {
        List<Integer> numbers = new ArrayList<>();
        int[] ends = new int[prompts.size()];
        int[] blocks = prompts.stream().flatMap(List::stream).mapToInt(i -> i).toArray();
        int end = 0;
        for (int i = 0; i < ends.length; i++) {
            end += prompts.get(i).size();
            ends[i] = end;
        }
        for (int i = 0; i < blocks.length; i++) {
            if (!numbers.contains(blocks[i])) {
                numbers.add(blocks[i]);
            }
            blocks[i] = numbers.indexOf(blocks[i]);
        }
        return new NumberedTrace(blocks, ends, new long[ends.length], numbers.size());
    }
}
