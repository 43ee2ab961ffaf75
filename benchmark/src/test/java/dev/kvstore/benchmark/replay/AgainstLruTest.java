package dev.kvstore.benchmark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.trace.GeneratedTrace;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import dev.kvstore.dataplane.tier.policy.LeastRecentlyUsed;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The policy of data planes finds no less than LRU would, except for a hundredth, whatever the requests are.
 */
@Tag("slow")
final class AgainstLruTest {
    private static final int REQUESTS = 100_000;

    private final Random random = new Random(1);

    @Test
    void whereEachBlockIsAsLikelyAsTheNext() throws IOException {
        asGood(single(_ -> random.nextInt(20_000)), 1_000, 5_000);
    }

    @Test
    void whereSomeBlocksAreAlwaysPopular() throws IOException {
        asGood(single(_ -> zipf()), 300, 3_000);
    }

    @Test
    void whereOtherBlocksBecomePopular() throws IOException {
        asGood(single(request -> request / 20_000 * 100_000 + zipf()), 300, 3_000);
    }

    @Test
    void whereWhatIsRecentIsWanted() throws IOException {
        asGood(single(request -> request / 10 + (int) Math.abs(random.nextGaussian() * 2_000)), 1_000, 3_000);
    }

    @Test
    void whereAllBlocksAreWantedInTurn() throws IOException {
        asGood(single(request -> request % 10_000), 1_000, 5_000);
    }

    @Test
    void inConversations() throws Exception {
        Trace generated = new GeneratedTrace(8);
        asGood(NumberedTrace.read(generated, Survey.of(generated, 6_000)), 1_000, 5_000, 10_000, 20_000, 30_000);
    }

    private int zipf() {
        return (int) Math.min(50_000, Math.pow(1 - random.nextDouble(), -1 / 0.9));
    }

    /** A request each 10 ms for one block. */
    private static NumberedTrace single(IntUnaryOperator block) {
        Map<Integer, Integer> numbers = new HashMap<>();
        int[] blocks = new int[REQUESTS];
        int[] ends = new int[REQUESTS];
        long[] millis = new long[REQUESTS];
        for (int request = 0; request < REQUESTS; request++) {
            blocks[request] = numbers.computeIfAbsent(block.applyAsInt(request), _ -> numbers.size());
            ends[request] = request + 1;
            millis[request] = 10L * request;
        }
        return new NumberedTrace(blocks, ends, millis, numbers.size());
    }

    private static void asGood(NumberedTrace trace, int... capacities) {
        for (int capacity : capacities) {
            double lru = SimulatedTier.hitRatio(trace, capacity, _ -> new LeastRecentlyUsed<>());
            assertThat(SimulatedTier.hitRatio(trace, capacity, EvictionPolicy::inService))
                    .as("%d blocks", capacity)
                    .isGreaterThanOrEqualTo(.99 * lru);
        }
    }
}
