package dev.kvstore.dataplane.tier.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import org.jspecify.annotations.Nullable;

final class HitDensityTest extends EvictionPolicyContract {
    private long now;

    /** Time passes with each look at it, so that no two uses are at the same moment. */
    @Override
    EvictionPolicy<Integer> policy() {
        long[] nanos = new long[1];
        return new HitDensity<>(() -> nanos[0] += 200_000_000);
    }

    @Example
    void theLastBlocksOfAPromptLeaveFirst() {
        HitDensity<Integer> policy = new HitDensity<>(() -> now);
        prompt(policy, 1, 4);

        assertThat(Stream.generate(policy::evict).limit(4)).containsExactly(4, 3, 2, 1);
    }

    @Example
    void whatOthersStandBehindStays() {
        HitDensity<Integer> policy = new HitDensity<>(() -> now);
        prompt(policy, 1, 3);
        pass(Duration.ofMinutes(1));
        policy.added(100, 3, 1);

        assertThat(policy.evict()).isEqualTo(100);
        assertThat(policy.mostWorthFirst()).containsExactly(1, 2, 3);
    }

    @Example
    void largerBlocksLeaveBeforeSmallerOnesOfTheSameWorth() {
        HitDensity<Integer> policy = new HitDensity<>(() -> now);
        policy.added(1, null, 100);
        policy.added(2, null, 1_000);
        policy.added(3, null, 100);

        assertThat(policy.evict()).isEqualTo(2);
    }

    @Example
    void aBlockWhoseParentWasRefusedJustNowDoesNotEnter() {
        HitDensity<Integer> policy = new HitDensity<>(() -> now);
        prompt(policy, 1, 2);
        assertThat(policy.evict()).isEqualTo(2);

        assertThat(policy.admits(3, 2, 1)).isFalse();
        assertThat(policy.admits(4, 1, 1)).isFalse(); // the one that would leave for it is its parent
        assertThat(policy.admits(5, null, 1)).isTrue();
    }

    @Example
    void aBlockWhoseParentWasNotAskedForEnters() {
        HitDensity<Integer> policy = new HitDensity<>(() -> now);
        prompt(policy, 1, 2);
        assertThat(policy.evict()).isEqualTo(2);
        pass(Duration.ofMinutes(1));

        assertThat(policy.admits(3, 2, 1)).isTrue();
    }

    @Example
    void aBlockThatComesBeforeItsParentStandsBehindItAllTheSame() {
        HitDensity<Integer> policy = new HitDensity<>(() -> now);
        policy.added(2, 1, 1);
        policy.added(1, null, 1);
        policy.used(2);
        policy.used(1);

        assertThat(policy.evict()).isEqualTo(2);
    }

    /** A conversation asks every minute; beside it a prompt a second comes that never comes back. */
    @Example
    void whatComesBackOutlivesWhatNeverDoes() {
        Kept<Integer, Integer> kept = new Kept<>(50, new HitDensity<>(() -> now), _ -> 1);
        int found = 0;
        int next = 1_000;
        for (int minute = 0; minute < 120; minute++) {
            for (int block = 1; block <= 10; block++) {
                found += ask(kept, block, block == 1 ? null : block - 1);
            }
            for (int second = 0; second < 60; second++) {
                pass(Duration.ofSeconds(1));
                for (int block = 0; block < 10; block++) {
                    ask(kept, next, block == 0 ? null : next - 1);
                    next++;
                }
            }
        }

        // The least recently used of 50 would have found none: 600 others come between.
        assertThat(found).isGreaterThan(1_000);
    }

    private static int ask(Kept<Integer, Integer> kept, Integer key, @Nullable Integer parent) {
        if (kept.use(key) != null) {
            return 1;
        }
        kept.put(key, parent, key, (_, _) -> {});
        return 0;
    }

    private static void prompt(EvictionPolicy<Integer> policy, int first, int last) {
        for (int key = first; key <= last; key++) {
            policy.added(key, key == first ? null : key - 1, 1);
        }
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }
}
