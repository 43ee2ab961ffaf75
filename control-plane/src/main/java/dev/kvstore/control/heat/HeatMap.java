package dev.kvstore.control.heat;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much the blocks of an account are used in a region, all tellers together: those used most, {@link #MOST_BLOCKS} at most
 * at some 200 bytes of heap each while it is looked at, 26 MB. Not thread-safe.
 */
final class HeatMap {
    /** With blocks of 1.2 MB these are 157 GB. */
    static final int MOST_BLOCKS = 1 << 17;

    private final Map<BlockName, BlockHeat> blocks = new HashMap<>();

    /** Adds what somebody told. When there are twice too many, those used least are forgotten. */
    void add(Collection<BlockHeat> told) {
        told.forEach(block -> blocks.merge(block.name(), block, BlockHeat::and));
        if (blocks.size() > 2 * MOST_BLOCKS) {
            blocks.values().retainAll(java.util.Set.copyOf(hottest()));
        }
    }

    /** Those used most, the first of all first. */
    List<BlockHeat> hottest() {
        return blocks.values().stream()
                .sorted(Comparator.comparingDouble(BlockHeat::uses).reversed())
                .limit(MOST_BLOCKS)
                .toList();
    }
}
