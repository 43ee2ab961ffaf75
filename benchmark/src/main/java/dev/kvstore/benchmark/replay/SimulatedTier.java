package dev.kvstore.benchmark.replay;

import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import dev.kvstore.dataplane.tier.policy.Kept;
import dev.kvstore.dataplane.tier.policy.LeastRecentlyUsed;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Simulates the memory tier of a data plane by the code that data planes run ({@link Kept} and a policy); each block
 * counts one.
 *
 * <p>Requests are served one after the other. Of a request, the blocks that are kept when it begins are found as far as
 * they go in one run from its first; blocks that are kept behind a gap are of no use and do not count. Then all of its
 * blocks are used or put, from the first to the last.
 */
final class SimulatedTier {
    private SimulatedTier() {}

    /**
     * The part of all blocks that is found, 0 to 1.
     *
     * @param policy a new one, for a clock that shows when the request at hand begins
     */
    static double hitRatio(
            NumberedTrace trace, int capacityBlocks, Function<LongSupplier, EvictionPolicy<Integer>> policy) {
        long[] now = new long[1];
        Kept<Integer, Integer> kept = new Kept<>(capacityBlocks, policy.apply(() -> now[0]), _ -> 1);
        int[] blocks = trace.blocks();
        long found = 0;
        for (int request = 0; request < trace.requests(); request++) {
            now[0] = TimeUnit.MILLISECONDS.toNanos(trace.millis()[request]);
            int start = trace.start(request);
            int end = trace.end(request);
            int place = start;
            while (place < end && kept.contains(blocks[place])) {
                place++;
            }
            found += place - start;
            for (place = start; place < end; place++) {
                Integer block = blocks[place];
                if (kept.use(block) == null) {
                    kept.put(block, place == start ? null : blocks[place - 1], block, (_, _) -> {});
                }
            }
        }
        return (double) found / blocks.length;
    }

    /** The hit ratio if no block ever leaves. */
    static double unlimitedHitRatio(NumberedTrace trace) {
        return hitRatio(trace, trace.distinct(), _ -> new LeastRecentlyUsed<>());
    }
}
