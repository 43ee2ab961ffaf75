package dev.kvstore.benchmark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import dev.kvstore.dataplane.tier.policy.Kept;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The policies that the data planes' own is compared with. */
final class PublishedPoliciesTest {
    private static final int ROOM = 20;

    static Stream<IntFunction<EvictionPolicy<Integer>>> policies() {
        return Stream.of(S3Fifo::new, WindowTinyLfu::new);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void onlyWhatIsKeptLeavesAndNoneTwice(IntFunction<EvictionPolicy<Integer>> policies) {
        EvictionPolicy<Integer> policy = policies.apply(ROOM);
        Kept<Integer, Integer> kept = new Kept<>(ROOM, policy, _ -> 1);
        Random random = new Random(1);

        for (int step = 0; step < 10_000; step++) {
            Integer block = (int) (random.nextDouble() * random.nextInt(100));
            if (step % 50 == 0) {
                kept.remove(block);
            }
            if (kept.use(block) == null) {
                kept.put(block, null, block, (left, _) -> assertThat(left).isNotEqualTo(block));
            }
            assertThat(policy.mostWorthFirst()).containsExactlyInAnyOrderElementsOf(kept.keys((_, _) -> true));
        }

        assertThat(kept.usedBytes()).isEqualTo(ROOM);
        kept.removeAll();
        assertThatThrownBy(policy::evict).isInstanceOf(NoSuchElementException.class);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void whatIsOftenUsedOutlivesAScan(IntFunction<EvictionPolicy<Integer>> policies) {
        Kept<Integer, Integer> kept = new Kept<>(ROOM, policies.apply(ROOM), _ -> 1);
        for (int block = 0; block < ROOM; block++) {
            ask(kept, block);
        }
        for (int use = 0; use < 5; use++) {
            ask(kept, 1);
        }

        for (int block = 1_000; block < 1_100; block++) {
            ask(kept, block);
        }

        assertThat(kept.contains(1)).isTrue();
    }

    @Test
    void whatComesBackSoonAfterItLeftTheSmallQueueGoesToTheMainOne() {
        EvictionPolicy<Integer> policy = new S3Fifo<>(10);
        policy.added(1, null, 1);
        policy.added(2, null, 1);
        assertThat(policy.evict()).isEqualTo(1);
        policy.added(1, null, 1);
        policy.added(3, null, 1);

        assertThat(Stream.generate(policy::evict).limit(3)).containsExactly(2, 1, 3);
    }

    private static void ask(Kept<Integer, Integer> kept, Integer block) {
        if (kept.use(block) == null) {
            kept.put(block, null, block, (_, _) -> {});
        }
    }
}
