package dev.kvstore.benchmark.kvcache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.RecordedFigures;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.EvictionRules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The waterfall beside the original's, which ran 1,000 random lists of writes and reads with a clock of its own. */
class TierPolicyTest {
    private static final EvictionRules RULES = WorkloadConfig.usual().eviction();

    /** Each operation, each move in its order, the counters, and what is where at the end. */
    @Test
    void doesWhatTheOriginalDidWithAThousandLists() {
        List<String> different = RecordedFigures.words("policy.txt").stream()
                .filter(recorded -> {
                    List<String> events = new RecordedList(Integer.parseInt(recorded.getFirst())).run();
                    return events.size() != Integer.parseInt(recorded.get(1))
                            || !RecordedFigures.digest(String.join("\n", events))
                                    .equals(recorded.get(2));
                })
                .map(List::getFirst)
                .toList();

        assertThat(different).isEmpty();
    }

    @Test
    void anEntryThatNoTierCanTakeGoesToTheLast() {
        TierPolicy policy = new TierPolicy(new double[] {10, 10}, RULES);

        assertThat(policy.reserve(100, new ArrayList<>())).isEqualTo(1);
    }

    @Test
    void theLeastRecentlyUsedEntryGoesDownFirst() {
        TierPolicy policy = new TierPolicy(new double[] {100, 1_000}, RULES);
        put(policy, "old", 40);
        put(policy, "new", 40);
        policy.access("old");

        assertThat(put(policy, "third", 40)).containsExactly(new PolicyStep.Demote("new", 40, 0, 1));
    }

    @Test
    void anEntryThatNeedsMoreEvictionsThanTheFastestTierMayMakeGoesBelow() {
        TierPolicy policy = new TierPolicy(new double[] {100, 1_000}, RULES, Tiering.WATERFALL, 3);
        for (int i = 0; i < 8; i++) {
            put(policy, "k" + i, 10);
        }

        assertThat(policy.reserve(20, new ArrayList<>())).isZero();
        policy.release(0, 20);
        for (int i = 8; i < 10; i++) {
            put(policy, "k" + i, 10);
        }
        assertThat(policy.reserve(40, new ArrayList<>())).isEqualTo(1);
    }

    @Test
    void theLastTierDeletes() {
        TierPolicy policy = new TierPolicy(new double[] {100}, RULES);
        put(policy, "first", 60);

        assertThat(put(policy, "second", 60)).containsExactly(new PolicyStep.Delete("first", 60, 0));
        assertThat(policy.contains("first")).isFalse();
    }

    @Test
    void anInfiniteTierDeletesNothing() {
        TierPolicy policy = new TierPolicy(new double[] {Double.POSITIVE_INFINITY}, RULES);
        put(policy, "first", Long.MAX_VALUE / 4);

        assertThat(put(policy, "second", Long.MAX_VALUE / 4)).isEmpty();
    }

    @Test
    void whatIsReleasedIsFreeAgain() {
        TierPolicy policy = new TierPolicy(new double[] {100}, RULES);
        policy.release(policy.reserve(60, new ArrayList<>()), 60);

        assertThat(policy.used(0)).isZero();
    }

    @Test
    void aForgottenEntryIsFreeAgain() {
        TierPolicy policy = new TierPolicy(new double[] {100}, RULES);
        put(policy, "one", 60);
        policy.forget("one");

        assertThat(policy.used(0)).isZero();
        assertThat(policy.entries(0)).isZero();
    }

    private static List<PolicyStep> put(TierPolicy policy, String key, long bytes) {
        List<PolicyStep> steps = new ArrayList<>();
        policy.commit(key, policy.reserve(bytes, steps), bytes);
        return steps;
    }
}
