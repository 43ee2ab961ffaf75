package dev.kvstore.control.heat;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The uses of an account's blocks in a region, from all reports together. The map keeps the {@link #MOST_BLOCKS} blocks
 * used most, with some 200 bytes of heap each: 26 MB. Not thread-safe.
 */
final class HeatMap {
    /** Most blocks of an account in a region; with blocks of 1.2 MB these are 157 GB. */
    static final int MOST_BLOCKS = 1 << 17;

    private final Map<BlockName, BlockHeat> blocks = new HashMap<>();

    /** Adds a report. When there are twice as many blocks as allowed, those used least are forgotten. */
    void add(Collection<BlockHeat> told) {
        told.forEach(block -> blocks.merge(block.name(), block, BlockHeat::and));
        if (blocks.size() > 2 * MOST_BLOCKS) {
            blocks.values().retainAll(java.util.Set.copyOf(hottest()));
        }
    }

    /** The blocks in the order of their uses, the most used first. */
    List<BlockHeat> hottest() {
        return blocks.values().stream()
                .sorted(Comparator.comparingDouble(BlockHeat::uses).reversed())
                .limit(MOST_BLOCKS)
                .toList();
    }
}
