package dev.kvstore.benchmark.replay;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * A policy that knows the future: Belady's, with bypass. The block that is wanted again last leaves first. That may be
 * the block that has just come, which then never enters. It treats each block for itself and does not know that one is
 * worthless without those before it; so a choice that knows prefixes could in principle find more.
 *
 * <p>Requests are served one after the other, and the blocks of a request from the first to the last. A block is found
 * if it is kept when its request begins.
 */
final class Clairvoyant {
    private static final int NEVER = Integer.MAX_VALUE;

    private Clairvoyant() {}

    /** The part of all blocks that is found in one run from the first block of its request, 0 to 1. */
    static double hitRatio(NumberedTrace trace, int capacityBlocks) {
        int[] next = nextUses(trace);
        // Where in the row each kept block is wanted next: so the block at a place is kept if the place is in here.
        TreeSet<Integer> kept = new TreeSet<>();
        long found = 0;
        for (int request = 0; request < trace.requests(); request++) {
            int end = trace.end(request);
            int place = trace.start(request);
            while (place < end && kept.contains(place)) {
                place++;
            }
            found += place - trace.start(request);
            for (place = trace.start(request); place < end; place++) {
                kept.remove(place);
                if (next[place] != NEVER) {
                    kept.add(next[place]);
                    if (kept.size() > capacityBlocks) {
                        kept.pollLast();
                    }
                }
            }
        }
        return (double) found / trace.blocks().length;
    }

    /** For each place in the row, the next one with the same block. */
    private static int[] nextUses(NumberedTrace trace) {
        int[] next = new int[trace.blocks().length];
        int[] later = new int[trace.distinct()];
        Arrays.fill(later, NEVER);
        for (int place = next.length - 1; place >= 0; place--) {
            int block = trace.blocks()[place];
            next[place] = later[block];
            later[block] = place;
        }
        return next;
    }
}
