package dev.kvstore.dataplane.tier.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** The promises that a tier relies on, whatever its policy prefers. */
abstract class EvictionPolicyContract {
    private static final int ROOM = 6;

    abstract EvictionPolicy<Integer> policy();

    /** Something that happens: a block is asked for, behind another or none, or is gone. */
    record PolicyEvent(int key, int parent, boolean gone) {}

    @Provide
    Arbitrary<List<PolicyEvent>> steps() {
        Arbitrary<Integer> keys = Arbitraries.integers().between(0, 15);
        return Combinators.combine(keys, keys, Arbitraries.frequency(Tuple.of(9, false), Tuple.of(1, true)))
                .as(PolicyEvent::new)
                .list()
                .ofMaxSize(300);
    }

    @Property
    void onlyWhatIsKeptLeavesAndNoneTwice(@ForAll("steps") List<PolicyEvent> steps) {
        EvictionPolicy<Integer> policy = policy();
        Set<Integer> kept = play(policy, steps);

        Set<Integer> left = new LinkedHashSet<>();
        for (int i = kept.size(); i > 0; i--) {
            assertThat(left.add(policy.evict())).isTrue();
        }
        assertThat(left).containsExactlyInAnyOrderElementsOf(kept);
        assertThatThrownBy(policy::evict).isInstanceOf(NoSuchElementException.class);
    }

    @Property
    void everyKeptBlockHasItsWorth(@ForAll("steps") List<PolicyEvent> steps) {
        EvictionPolicy<Integer> policy = policy();
        Set<Integer> kept = play(policy, steps);

        assertThat(policy.mostWorthFirst()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(kept);
    }

    @Example
    void whereNothingIsKnownTheLeastRecentlyUsedLeaves() {
        EvictionPolicy<Integer> policy = policy();
        for (int key = 0; key < 4; key++) {
            policy.added(key, null, 1);
        }
        policy.used(0);

        assertThat(List.of(policy.evict(), policy.evict(), policy.evict(), policy.evict()))
                .containsExactly(1, 2, 3, 0);
    }

    @Example
    void whatIsMostWorthLeavesLast() {
        EvictionPolicy<Integer> policy = policy();
        for (int key = 0; key < 4; key++) {
            policy.added(key, null, 1);
        }
        policy.used(0);

        assertThat(policy.mostWorthFirst()).containsExactly(0, 3, 2, 1);
    }

    /** The blocks that are kept in the end. */
    static Set<Integer> play(EvictionPolicy<Integer> policy, List<PolicyEvent> steps) {
        Set<Integer> kept = new LinkedHashSet<>();
        for (PolicyEvent step : steps) {
            // Whatever is said of parents, that one is behind the other and the other behind the one too.
            Integer parent = step.parent() < 12 ? step.parent() : null;
            if (step.gone()) {
                if (kept.remove(step.key())) {
                    policy.removed(step.key());
                }
            } else if (kept.contains(step.key())) {
                policy.used(step.key());
            } else if (kept.size() < ROOM || policy.admits(step.key(), parent, 1)) {
                while (kept.size() >= ROOM) {
                    assertThat(kept.remove(policy.evict())).isTrue();
                }
                policy.added(step.key(), parent, 1);
                kept.add(step.key());
            }
        }
        return kept;
    }
}
