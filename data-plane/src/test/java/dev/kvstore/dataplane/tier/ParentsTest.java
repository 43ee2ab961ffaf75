package dev.kvstore.dataplane.tier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import dev.kvstore.dataplane.tier.policy.LeastRecentlyUsed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A policy is told which block comes before one in its prompt: a block is worthless without those before it. */
final class ParentsTest {
    private final SomeBlocks some = new SomeBlocks();
    private final Told told = new Told();
    private final MemoryTier tier = new MemoryTier(2L * SomeBlocks.TAKEN_BYTES, told, (_, _) -> {});

    /** Remembers parents; otherwise the least recently used leaves. */
    private static final class Told implements EvictionPolicy<BlockKey> {
        private final EvictionPolicy<BlockKey> choice = new LeastRecentlyUsed<>();
        private final Map<BlockKey, @Nullable BlockKey> asked = new HashMap<>();
        private final Map<BlockKey, @Nullable BlockKey> added = new HashMap<>();

        @Override
        public boolean admits(BlockKey key, @Nullable BlockKey parent, long bytes) {
            asked.put(key, parent);
            return choice.admits(key, parent, bytes);
        }

        @Override
        public void added(BlockKey key, @Nullable BlockKey parent, long bytes) {
            added.put(key, parent);
            choice.added(key, parent, bytes);
        }

        @Override
        public void used(BlockKey key) {
            choice.used(key);
        }

        @Override
        public BlockKey evict() {
            return choice.evict();
        }

        @Override
        public void removed(BlockKey key) {
            choice.removed(key);
        }

        @Override
        public List<BlockKey> mostWorthFirst() {
            return choice.mostWorthFirst();
        }
    }

    @Test
    void aPromptsFirstBlockHasNone() throws MemoryExhaustedException {
        put(1, some.block(1));

        assertThat(told.added).containsEntry(some.key(1), null);
    }

    @Test
    void anotherHasTheOneBeforeItWhetherThatIsHereOrNot() throws MemoryExhaustedException {
        put(2, some.blockAfter(1, 2));

        assertThat(told.added).containsEntry(some.key(2), some.key(1));
    }

    @Test
    void whenOthersWouldHaveToLeaveItIsToldBeforeItChooses() throws MemoryExhaustedException {
        put(1, some.block(1));
        put(2, some.blockAfter(1, 2));
        put(3, some.blockAfter(2, 3));

        assertThat(told.asked).containsOnlyKeys(some.key(3)).containsEntry(some.key(3), some.key(2));
    }

    private void put(int i, StoredBlock block) {
        tier.put(some.key(i), block);
        block.release();
    }
}
