package dev.kvstore.dataplane.tier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MemoryTierTest {
    private final SomeBlocks some = new SomeBlocks();
    private final List<BlockKey> left = new ArrayList<>();
    private final MemoryTier tier = new MemoryTier(3L * SomeBlocks.TAKEN_BYTES, (key, block) -> left.add(key));

    @Test
    void keepsWhatItWasGiven() throws MemoryExhaustedException {
        put(1);

        assertThat(has(1)).isTrue();
        assertThat(tier.usedBytes()).isEqualTo(SomeBlocks.TAKEN_BYTES);
    }

    @Test
    void theLeastRecentlyUsedLeavesFirst() throws MemoryExhaustedException {
        put(1);
        put(2);
        put(3);
        has(1);

        put(4);

        assertThat(tier.contains(some.key(2))).isFalse();
        assertThat(tier.contains(some.key(1))).isTrue();
        assertThat(tier.usedBytes()).isEqualTo(tier.budgetBytes());
        assertThat(tier.evictions()).isEqualTo(1);
        assertThat(left).containsExactly(some.key(2));
    }

    @Test
    void looksFromOutsideDoNotMakeABlockRecent() throws MemoryExhaustedException {
        put(1);
        put(2);
        put(3);
        tier.contains(some.key(1));

        put(4);

        assertThat(tier.contains(some.key(1))).isFalse();
    }

    @Test
    void onlyWhoMissesABlockAndSaysSoIsCounted() throws MemoryExhaustedException {
        put(1);
        long hits = tier.hits();

        assertThat(tier.find(some.key(2))).isNull();
        assertThat(tier.misses()).isZero();
        assertThat(tier.get(some.key(2))).isNull();
        assertThat(tier.misses()).isEqualTo(1);

        StoredBlock found = tier.find(some.key(1));
        assertThat(found).isNotNull();
        found.release();
        assertThat(tier.hits()).isEqualTo(hits + 1);
    }

    @Test
    void aReaderKeepsABlockThatHasLeft() throws MemoryExhaustedException {
        put(1);
        StoredBlock held = tier.get(some.key(1));
        put(2);
        put(3);
        put(4);

        assertThat(tier.contains(some.key(1))).isFalse();
        assertThat(held).isNotNull();
        assertThat(held.buffer().remaining()).isEqualTo(SomeBlocks.BUFFER_BYTES);
        held.release();
        assertThat(some.usedBytes()).isEqualTo(tier.usedBytes());
    }

    @Test
    void aBlockBeyondTheBudgetGoesBelowAtOnce() throws MemoryExhaustedException {
        MemoryTier none = new MemoryTier(0, (key, block) -> left.add(key));
        StoredBlock block = some.block(1);

        none.put(some.key(1), block);
        block.release();

        assertThat(none.contains(some.key(1))).isFalse();
        assertThat(left).containsExactly(some.key(1));
        assertThat(some.usedBytes()).isZero();
    }

    @Test
    void aRemovedBlockGivesItsMemoryBack() throws MemoryExhaustedException {
        put(1);

        tier.remove(some.key(1));
        tier.remove(some.key(1));

        assertThat(tier.usedBytes()).isZero();
        assertThat(some.usedBytes()).isZero();
    }

    private void put(int i) throws MemoryExhaustedException {
        StoredBlock block = some.block(i);
        tier.put(some.key(i), block);
        block.release();
    }

    private boolean has(int i) {
        BlockKey key = some.key(i);
        StoredBlock block = tier.get(key);
        if (block == null) {
            return false;
        }
        block.release();
        return true;
    }
}
