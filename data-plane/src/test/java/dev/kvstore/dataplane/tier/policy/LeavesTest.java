package dev.kvstore.dataplane.tier.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class LeavesTest {
    /** Each number sets a block's worth, one in five takes it out. */
    @Property
    void theLeastIsAlwaysFirst(@ForAll List<@IntRange(min = 0, max = 1_000) Integer> numbers) {
        Leaves<Integer> leaves = new Leaves<>(Leaves.OF_ALL);
        Map<Integer, Watched<Integer>> blocks = new HashMap<>();
        Map<Integer, Double> model = new HashMap<>();
        for (int number : numbers) {
            int key = number % 20;
            Watched<Integer> block = blocks.computeIfAbsent(key, _ -> new Watched<>(key, new ConversationTurn(1)));
            if (number % 5 == 0) {
                leaves.remove(block);
                model.remove(key);
            } else {
                block.worth = number;
                leaves.settle(block);
                model.put(key, (double) number);
            }
            assertThat(leaves.isEmpty()).isEqualTo(model.isEmpty());
            if (!model.isEmpty()) {
                assertThat(leaves.least().worth)
                        .isEqualTo(model.values().stream().min(Double::compare).orElseThrow());
            }
        }
    }
}
