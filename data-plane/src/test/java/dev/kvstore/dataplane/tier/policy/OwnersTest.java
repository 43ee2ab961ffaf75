package dev.kvstore.dataplane.tier.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The owners whose blocks leave a full tier. The owner of a block is its number divided by 1,000. */
final class OwnersTest {
    private static final int BUDGET = 30;

    private long now;
    private Kept<Integer, Integer> kept = empty();

    private Kept<Integer, Integer> empty() {
        return new Kept<>(BUDGET, new HitDensity<>(() -> now, OwnersTest::owner), _ -> 1, OwnersTest::owner, () -> now);
    }

    private static Integer owner(Integer block) {
        return block / 1_000;
    }

    private void put(int block) {
        kept.put(block, null, block, (_, _) -> {});
        now += 1_000_000;
    }

    @Example
    void oneOwnerHasAllOfIt() {
        for (int block = 0; block < 2 * BUDGET; block++) {
            put(block);
        }

        assertThat(kept.usedBytes()).isEqualTo(BUDGET);
        assertThat(kept.mostOfOneOwner()).isEqualTo(BUDGET);
    }

    @Example
    void aScanTakesNothingOfTheShareOfAnOwnerThatUsesIt() {
        for (int block = 1_000; block < 1_010; block++) {
            put(block);
        }

        for (int block = 2_000; block < 3_000; block++) {
            put(block);
        }

        for (int block = 1_000; block < 1_010; block++) {
            assertThat(kept.contains(block)).isTrue();
        }
        assertThat(kept.owners()).isEqualTo(2);
    }

    @Example
    void whatAnOwnerHasBeyondItsShareMayLeave() {
        for (int block = 1_000; block < 1_030; block++) {
            put(block);
        }

        for (int block = 2_000; block < 2_010; block++) {
            put(block);
        }

        for (int block = 2_000; block < 2_010; block++) {
            assertThat(kept.contains(block)).isTrue();
        }
    }

    @Example
    void anOwnerThatUsesNothingForLongKeepsNothingFromOthers() {
        for (int block = 1_000; block < 1_010; block++) {
            put(block);
        }
        now += Owners.ACTIVE_NANOS;

        for (int block = 2_000; block < 3_000; block++) {
            put(block);
        }

        assertThat(kept.mostOfOneOwner()).isEqualTo(BUDGET);
        assertThat(kept.owners()).isEqualTo(1);
    }

    @Property(tries = 200)
    void aBlockLeavesOfAnOwnerAboveItsShareOrOfTheOneThatBringsMore(
            @ForAll @Size(max = 300) List<@IntRange(max = 5_099) Integer> blocks) {
        kept = empty();
        Map<Integer, Integer> model = new HashMap<>();
        Set<Integer> seen = new HashSet<>();
        for (int each : blocks) {
            int block = each / 1_000 * 1_000 + each % 100;
            if (kept.use(block) != null) {
                continue;
            }
            seen.add(owner(block));
            int share = BUDGET / seen.size();
            Kept.PutEffect put = kept.put(block, null, block, (victim, _) -> {
                assertThat(model.getOrDefault(owner(victim), 0) > share
                                || owner(victim).equals(owner(block)))
                        .isTrue();
                model.merge(owner(victim), -1, Integer::sum);
            });
            if (put == Kept.PutEffect.KEPT) {
                model.merge(owner(block), 1, Integer::sum);
            }
            now += 1_000_000;
            assertThat(kept.usedBytes())
                    .isEqualTo(
                            model.values().stream().mapToInt(Integer::intValue).sum())
                    .isLessThanOrEqualTo(BUDGET);
            assertThat(kept.mostOfOneOwner())
                    .isEqualTo(model.values().stream()
                            .mapToInt(Integer::intValue)
                            .max()
                            .orElse(0));
        }
    }
}
