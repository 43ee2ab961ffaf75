package dev.kvstore.dataplane.tier;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.tier.Tiers.BlockMoment;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.testing.schedule.Schedules;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule, a block in memory is the one that storage has. */
@Tag("slow")
final class TiersRacesTest {
    private static final int ABSENT = 0;

    private final SomeBlocks some = new SomeBlocks();

    @Test
    void aLoadDoesNotBringBackBytesThatWereReplaced() {
        Schedules.explore(() -> {
            Tiers tiers = tiers();
            AtomicInteger stored = new AtomicInteger(1);

            race(() -> load(tiers, stored), () -> store(tiers, stored, 2), () -> load(tiers, stored));

            assertThat(resident(tiers)).isIn(ABSENT, 2);
            assertGivenBack(tiers);
        });
    }

    @Test
    void ofTwoStoresTheLastOneStays() {
        Schedules.explore(() -> {
            Tiers tiers = tiers();
            AtomicInteger stored = new AtomicInteger(ABSENT);

            race(() -> store(tiers, stored, 2), () -> store(tiers, stored, 3), () -> load(tiers, stored));

            assertThat(resident(tiers)).isIn(ABSENT, stored.get());
            assertGivenBack(tiers);
        });
    }

    @Test
    void aBlockThatIsGoneDoesNotComeBack() {
        Schedules.explore(() -> {
            Tiers tiers = tiers();
            AtomicInteger stored = new AtomicInteger(1);

            race(() -> load(tiers, stored), () -> {
                stored.set(ABSENT);
                tiers.forget(some.key(1));
            });

            assertThat(resident(tiers)).isEqualTo(ABSENT);
            assertGivenBack(tiers);
        });
    }

    private Tiers tiers() {
        return new Tiers(
                new MemoryTier(2L * SomeBlocks.TAKEN_BYTES, (_, _) -> {}), DiskTier.none(some.pool()), Runnable::run);
    }

    /** Versions of one block tell themselves apart by their parents. */
    private StoredBlock version(int number) throws MemoryExhaustedException {
        return some.blockAfter(number, 1);
    }

    private void load(Tiers tiers, AtomicInteger stored) {
        Fetched fetched = tiers.get(
                        _ -> {
                            int version = stored.get();
                            return version == ABSENT
                                    ? new Fetched.Absent()
                                    : new Fetched.FetchedBlock(version(version));
                        },
                        some.key(1))
                .join();
        if (fetched instanceof Fetched.FetchedBlock found) {
            assertThat(found.block().retain().header().hash())
                    .isEqualTo(some.key(1).hash());
            found.block().release();
            found.block().release();
        }
    }

    private void store(Tiers tiers, AtomicInteger stored, int number) throws MemoryExhaustedException {
        StoredBlock block = version(number);
        BlockMoment before = tiers.now(some.key(1));
        stored.set(number);
        tiers.keep(some.key(1), block, before);
        block.release();
    }

    private int resident(Tiers tiers) {
        @Nullable StoredBlock block = tiers.resident(some.key(1));
        if (block == null) {
            return ABSENT;
        }
        for (int number = 1; number <= 3; number++) {
            if (block.header().parent().equals(some.key(number).hash())) {
                block.release();
                return number;
            }
        }
        throw new AssertionError(
                "no version has the parent " + block.header().parent().hex());
    }

    private void assertGivenBack(Tiers tiers) {
        tiers.close();
        assertThat(some.usedBytes()).isZero();
    }
}
