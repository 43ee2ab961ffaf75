package dev.kvstore.control.warming.block;

import dev.kvstore.control.heat.BlockHeat;
import dev.kvstore.protocol.block.BlockHash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Puts the blocks used most first, and before each of them the blocks before it in its prompt: any beginning of the
 * order is useful at once. A parent is known by the first 8 bytes of its name; if two blocks of a partition have these
 * in common, one of them may come too early. One thread uses it.
 */
public final class ChainOrder {
    private record ChainPosition(BlockHash root, long head) {}

    private final Map<ChainPosition, BlockHeat> known = new HashMap<>();
    private final Set<BlockHeat> taken = new HashSet<>();

    private ChainOrder(List<BlockHeat> blocks) {
        blocks.forEach(block -> known.put(
                new ChainPosition(block.name().root(), block.name().hash().a()), block));
    }

    /**
     * The first blocks of the order, as many as fit.
     *
     * @param hottest the blocks, those used most first
     * @param most bytes of all that are taken together
     */
    public static List<BlockRef> of(List<BlockHeat> hottest, long most) {
        ChainOrder order = new ChainOrder(hottest);
        List<BlockRef> chosen = new ArrayList<>();
        long[] left = {most};
        for (BlockHeat block : hottest) {
            order.take(block, each -> {
                left[0] -= each.bytes();
                if (left[0] >= 0) {
                    chosen.add(new BlockRef(each.name().root(), each.name().hash(), each.bytes()));
                }
            });
            if (left[0] <= 0) {
                break;
            }
        }
        return chosen;
    }

    /** Takes a block, after the blocks before it that were not taken yet. */
    private void take(BlockHeat block, Consumer<BlockHeat> taker) {
        Deque<BlockHeat> chain = new ArrayDeque<>();
        BlockHeat next = block;
        while (next != null && taken.add(next)) {
            chain.push(next);
            next = known.get(new ChainPosition(next.name().root(), next.parent()));
        }
        chain.forEach(taker);
    }
}
