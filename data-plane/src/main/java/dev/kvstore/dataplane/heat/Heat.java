package dev.kvstore.dataplane.heat;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.protocol.heat.Uses;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Uses (reads and writes) of the blocks of this process: of the {@link #MOST_BLOCKS} used most, at some 250 bytes of
 * heap each, 16 MB, and between two beats of as many new ones. A use is counted when it happens, which costs a look
 * into a map, and weighed at the next beat as if it happened then. Counting is thread-safe; everything else is for the
 * one thread that beats.
 */
public final class Heat {
    /** Most blocks whose uses are known. Blocks of 1.2 MB are 79 GB then, several times the tiers of a process. */
    public static final int MOST_BLOCKS = 1 << 16;

    private final InstantSource clock;
    private final int most;
    private final Consumer<BlockKey> first;
    private final Map<BlockKey, UsedBlock> blocks = new ConcurrentHashMap<>();

    private Heat(InstantSource clock, int most, Consumer<BlockKey> first) {
        this.clock = clock;
        this.most = most;
        this.first = first;
    }

    /**
     * A heat without uses.
     *
     * @param first receives a block that is used for the first time, or for the first time after long; must not wait
     */
    public static Heat none(InstantSource clock, Consumer<BlockKey> first) {
        return new Heat(clock, MOST_BLOCKS, first);
    }

    static Heat of(InstantSource clock, int most) {
        return new Heat(clock, most, _ -> {});
    }

    /** The heat of a process that reports no uses and counts none. */
    public static Heat unheard() {
        return new Heat(InstantSource.system(), 0, _ -> {});
    }

    /** A block was read by a client, or written. */
    public void used(Account account, BlockKey key, StoredBlock block) {
        UsedBlock known = blocks.get(key);
        if (known == null) {
            first.accept(key);
            used(
                    account.resourceName(),
                    key,
                    block.header().parent().a(),
                    block.header().bufferBytes());
        } else {
            known.use();
        }
    }

    /** Counts a use of a block whose header is not at hand. */
    void used(String resourceName, BlockKey key, long parent, int bytes) {
        if (blocks.containsKey(key) || blocks.size() < 2 * most) {
            blocks.computeIfAbsent(key, _ -> new UsedBlock(resourceName, key, parent, bytes))
                    .use();
        }
    }

    /**
     * The uses that were not reported yet; from now on they count as reported.
     *
     * @param atMost most blocks, the most used ones; other blocks are for the next time
     */
    List<BlockUse> tell(int atMost) {
        weigh();
        List<UsedBlock> untold = new ArrayList<>(
                blocks.values().stream().filter(UsedBlock::isUntold).toList());
        if (untold.size() > atMost) {
            untold.sort(Comparator.comparingDouble(UsedBlock::untold).reversed());
        }
        return untold.stream().limit(atMost).map(UsedBlock::tell).toList();
    }

    /** The report failed: its uses are reported again, except those of blocks that are forgotten by then. */
    void takeBack(List<BlockUse> told) {
        told.forEach(BlockUse::takeBack);
    }

    /**
     * Weighs the uses counted since the last call as uses of now. If there are too many blocks, the blocks used least
     * are forgotten.
     */
    void weigh() {
        double now = Uses.at(clock.instant());
        blocks.values().forEach(block -> block.weigh(now));
        if (blocks.size() > most) {
            forget(blocks.size() - most);
        }
    }

    private void forget(int tooMany) {
        double[] uses = blocks.values().stream()
                .mapToDouble(UsedBlock::uses)
                .filter(use -> use != Uses.NONE)
                .sorted()
                .toArray();
        if (uses.length == 0) {
            // All blocks came after the last weighing, and are weighed at the next beat.
            return;
        }
        double least = uses[Math.min(tooMany, uses.length) - 1];
        int[] left = {tooMany};
        blocks.values().removeIf(block -> block.isWeighed() && block.uses() < least && left[0]-- > 0);
        // Among blocks that are used as little as the last block to go, it does not matter which one goes.
        blocks.values().removeIf(block -> block.uses() == least && left[0]-- > 0);
    }

    /** Number of blocks whose uses are known, 0 to twice {@link #MOST_BLOCKS}. */
    public int blocks() {
        return blocks.size();
    }
}
