package dev.kvstore.dataplane.heat;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.heat.Uses;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * How much the blocks of this process are used, read or written: of those that are used most, {@link #MOST_BLOCKS} at most at some
 * 240 bytes of heap each, 16 MB. When there are more, the half with the fewest uses is forgotten. Thread-safe; a use takes
 * well below a microsecond.
 */
public final class Heat {
    /** With blocks of 1.2 MB these are 79 GB, several times what the tiers of a process hold. */
    public static final int MOST_BLOCKS = 1 << 16;

    private static final int STRIPES = 16;

    private final InstantSource clock;
    private final List<HeatStripe> stripes;

    /** Of nothing so far. */
    public Heat(InstantSource clock) {
        this(clock, MOST_BLOCKS);
    }

    Heat(InstantSource clock, int mostBlocks) {
        this.clock = clock;
        this.stripes = Stream.generate(() -> new HeatStripe(mostBlocks / STRIPES))
                .limit(STRIPES)
                .toList();
    }

    /** A block was read by a client, or written. */
    public void used(Account account, StoredBlock block) {
        BlockHeader header = block.header();
        UsedBlock used = new UsedBlock(account.resourceName(), header.root(), header.hash());
        used(used, header.parent().a(), header.bufferBytes());
    }

    /** The same of a block that is not at hand. */
    void used(UsedBlock block, long parent, int bytes) {
        stripe(block).add(block, parent, bytes, Uses.at(clock.instant()));
    }

    /** The middle of a hash, of which maps take the end. */
    private HeatStripe stripe(UsedBlock block) {
        return stripes.get((int) (block.hash().c() & (STRIPES - 1)));
    }

    /**
     * What was not told yet; from now on it counts as told.
     *
     * @param most how many blocks, those used most; others are for the next time
     */
    List<Use> tell(int most) {
        List<Use> all = new ArrayList<>();
        stripes.forEach(stripe -> stripe.tell(all));
        if (all.size() > most) {
            all.sort(Comparator.comparingDouble(Use::uses).reversed());
            takeBack(all.subList(most, all.size()));
        }
        return List.copyOf(all.subList(0, Math.min(most, all.size())));
    }

    /** Nobody heard of it: it is to be told again. */
    void takeBack(List<Use> told) {
        told.forEach(use -> stripe(use.block()).takeBack(use));
    }

    /** Blocks of which something is known, 0 to {@link #MOST_BLOCKS}. */
    public int blocks() {
        return stripes.stream().mapToInt(HeatStripe::size).sum();
    }
}
