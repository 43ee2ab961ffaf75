package dev.kvstore.dataplane.tier;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.tier.policy.LeastRecentlyUsed;
import dev.kvstore.testing.schedule.Schedules;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule a block that was lent stays, and a block that left is given back. */
@Tag("slow")
final class MemoryTierRacesTest {
    private final SomeBlocks some = new SomeBlocks();

    @Test
    void aLentBlockOutlivesItsEviction() {
        Schedules.explore(() -> {
            MemoryTier tier = tier((_, _) -> {});

            race(() -> put(tier, 1), () -> put(tier, 2), () -> read(tier, 1), () -> tier.remove(some.key(1)));

            assertThat(some.usedBytes()).isEqualTo(tier.usedBytes());
            assertThat(tier.usedBytes()).isLessThanOrEqualTo(tier.budgetBytes());
            assertGivenBack(tier);
        });
    }

    @Test
    void aBlockThatIsForgottenIsNotHandedDownAfterwards() {
        Schedules.explore(() -> {
            AtomicInteger below = new AtomicInteger();
            MemoryTier tier = tier((key, _) -> below.addAndGet(key.equals(some.key(1)) ? 1 : 0));
            put(tier, 1);

            race(() -> put(tier, 2), () -> {
                tier.remove(some.key(1));
                int before = below.get();
                put(tier, 3);
                assertThat(below).hasValue(before);
            });

            assertThat(some.usedBytes()).isEqualTo(tier.usedBytes());
            assertGivenBack(tier);
        });
    }

    @Test
    void aDrainLeavesNothingBehind() {
        Schedules.explore(() -> {
            MemoryTier tier = tier((_, _) -> {});
            put(tier, 1);

            race(() -> tier.drain((_, block) -> block.release()), () -> read(tier, 1), () -> tier.remove(some.key(1)));

            assertThat(tier.usedBytes()).isZero();
            assertThat(some.usedBytes()).isZero();
        });
    }

    private static MemoryTier tier(MemoryTier.LowerTier below) {
        return new MemoryTier(SomeBlocks.TAKEN_BYTES, new LeastRecentlyUsed<>(), below);
    }

    private void put(MemoryTier tier, int i) throws MemoryExhaustedException {
        StoredBlock block = some.block(i);
        tier.put(some.key(i), block);
        block.release();
    }

    private void read(MemoryTier tier, int i) {
        StoredBlock block = tier.get(some.key(i));
        if (block != null) {
            assertThat(block.retain().header().hash()).isEqualTo(some.key(i).hash());
            block.release();
            block.release();
        }
    }

    private void assertGivenBack(MemoryTier tier) {
        tier.drain((_, block) -> block.release());
        assertThat(some.usedBytes()).isZero();
        assertThat(some.pool().mostOfOneHolder()).isZero();
    }
}
