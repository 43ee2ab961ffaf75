package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The original's rule of November 2025. */
class SpilloverTest {
    private final List<PolicyStep> steps = new ArrayList<>();
    private final TierPolicy policy = new TierPolicy(
            new double[] {1_000, 1_000, 2_000},
            WorkloadConfig.usual().eviction(),
            Tiering.SPILLOVER,
            Integer.MAX_VALUE);

    private int put(String key, long bytes) {
        int tier = policy.reserve(bytes, steps);
        policy.commit(key, tier, bytes);
        return tier;
    }

    @Test
    void anEntryGoesToTheFirstTierThatStaysBelowItsTarget() {
        assertThat(put("a", 799)).isZero();
        assertThat(put("b", 1)).isEqualTo(1);
        assertThat(put("c", 799)).isEqualTo(2);
        assertThat(put("d", 700)).isEqualTo(1);
    }

    @Test
    void nothingIsDemoted() {
        for (int i = 0; i < 20; i++) {
            put("k" + i, 300);
        }

        assertThat(steps).isNotEmpty().allSatisfy(step -> assertThat(step).isInstanceOf(PolicyStep.Delete.class));
        assertThat(policy.access("k0")).isZero();
    }

    @Test
    void anEntryThatNoTierAboveHasRoomForGoesToTheLast() {
        assertThat(put("a", 1_500)).isEqualTo(2);
    }
}
