package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The last tier has a copy of everything. */
class WriteThroughTest {
    private final List<PolicyStep> steps = new ArrayList<>();
    // 800 bytes of the first tier are filled, all of the last one.
    private final TierPolicy policy =
            new TierPolicy(new double[] {1_000, 2_000}, WorkloadConfig.usual().eviction(), Tiering.WRITE_THROUGH);

    private int put(String key, long bytes) {
        int tier = policy.reserve(bytes, steps);
        policy.commit(key, tier, bytes);
        return tier;
    }

    @Test
    void anEntryTakesRoomInItsTierAndInTheLast() {
        assertThat(put("a", 400)).isZero();

        assertThat(policy.used(0)).isEqualTo(400);
        assertThat(policy.used(1)).isEqualTo(400);
        assertThat(policy.entries(1)).isEqualTo(1);
    }

    @Test
    void anEntryThatLeavesTheTierAboveTakesNoMoreRoomBelow() {
        put("a", 400);
        put("b", 400);
        put("c", 400);

        assertThat(steps).containsExactly(new PolicyStep.Demote("a", 400, 0, 1));
        assertThat(policy.access("a")).isEqualTo(1);
        assertThat(policy.used(1)).isEqualTo(1_200);
    }

    @Test
    void whatTheLastTierDeletesIsGoneEverywhere() {
        for (int i = 0; i < 5; i++) {
            put("k" + i, 400);
        }
        policy.access("k3");
        steps.clear();
        // Pushes out k0, k1, k2 and k4, the one of which is above too.
        put("large", 1_500);

        assertThat(policy.contains("k4")).isFalse();
        assertThat(policy.contains("k3")).isTrue();
        assertThat(policy.used(0)).isEqualTo(400);
        assertThat(policy.used(1)).isEqualTo(1_900);
    }

    @Test
    void whatWasReservedAndIsNotWrittenGivesBackBoth() {
        policy.release(policy.reserve(400, steps), 400);

        assertThat(policy.used(0)).isZero();
        assertThat(policy.used(1)).isZero();
    }
}
