package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The blocks that a disk tier keeps, for how long, and in how much room. */
final class DiskTierTest {
    private static final int SMALL = 512;
    private static final int PER_REGION = 20;

    private final Records records = new Records(64 << 20);

    @TempDir
    private Path directory;

    private SmallDisk disk;
    private DiskTier tier;

    @BeforeEach
    void open() {
        disk = new SmallDisk(directory.resolve("disk"), 4);
        tier = disk.open(records.pool());
    }

    @AfterEach
    void everyByteIsGivenBack() {
        tier.close();
        assertThat(records.pool().usedBytes()).isZero();
    }

    @Test
    void keepsWhatItIsGiven() {
        records.put(tier, 1, SMALL);
        records.settle();

        assertThat(tier.contains(records.key(1))).isTrue();
        assertThat(records.has(tier, 1, SMALL)).isTrue();
        assertThat(records.has(tier, 2, SMALL)).isFalse();
        assertThat(tier.counters().hits().sum()).isEqualTo(1);
        assertThat(tier.counters().misses().sum()).isEqualTo(1);
        assertThat(tier.counters().demotions().sum()).isEqualTo(1);
    }

    @Test
    void aBlockIsThereFromTheMomentItIsGiven() {
        for (int i = 0; i < 50; i++) {
            records.put(tier, i, SMALL);
            assertThat(records.has(tier, i, SMALL)).isTrue();
            assertThat(tier.contains(records.key(i))).isTrue();
        }
    }

    @Test
    void aBlockThatIsThereIsNotWrittenAgain() {
        records.put(tier, 1, SMALL);
        records.settle();

        records.put(tier, 1, SMALL);
        records.settle();

        assertThat(tier.counters().demotions().sum()).isEqualTo(1);
        assertThat(tier.counters().dropped().sum()).isZero();
    }

    @Test
    void equalBlocksOfTwoTenantsNeverMeet() {
        records.put(tier, records.key("mine", 1), SMALL, 1);
        records.settle();

        assertThat(tier.contains(records.key("theirs", 1))).isFalse();
        assertThat(records.has(tier, records.key("theirs", 1), SMALL, 1)).isFalse();
    }

    @Test
    void blocksAreFoundAfterARestart() {
        IntStream.range(0, 40).forEach(i -> records.put(tier, i, SMALL));

        restart();

        assertThat(IntStream.range(0, 40)).allMatch(i -> records.has(tier, i, SMALL));
    }

    @Test
    void blocksAreFoundAfterAKill() {
        IntStream.range(0, 40).forEach(i -> records.put(tier, i, SMALL));
        records.settle();

        DiskTier next = disk.killed(directory.resolve("copy")).open(records.pool());

        assertThat(IntStream.range(0, 40)).allMatch(i -> records.has(next, i, SMALL));
        next.close();
    }

    @Test
    void aRestartGoesOnWhereTheOneBeforeEnded() {
        for (int i = 0; i < 30; i++) {
            records.put(tier, i, SMALL);
            restart();
        }

        assertThat(IntStream.range(0, 30)).allMatch(i -> records.has(tier, i, SMALL));
        assertThat(disk.regionFiles()).hasSizeLessThan(4);
    }

    @Test
    void whatIsForgottenIsNotServed() {
        records.put(tier, 1, SMALL);
        tier.forget(records.key(1));
        assertThat(records.has(tier, 1, SMALL)).isFalse();
        assertThat(tier.contains(records.key(1))).isFalse();

        records.put(tier, 1, SMALL);
        records.settle();
        tier.forget(records.key(1));

        assertThat(records.has(tier, 1, SMALL)).isFalse();
        assertThat(tier.contains(records.key(1))).isFalse();
    }

    @Test
    void whatIsForgottenStaysSoAfterARestart() {
        records.put(tier, 1, SMALL);
        records.put(tier, 2, SMALL);
        records.settle();
        tier.forget(records.key(1));

        restart();

        assertThat(records.has(tier, 1, SMALL)).isFalse();
        assertThat(records.has(tier, 2, SMALL)).isTrue();
    }

    @Test
    void aBlockGivenAnewAfterItWasForgottenIsTheNewOne() {
        records.put(tier, records.key(1), SMALL, 100);
        records.settle();
        tier.forget(records.key(1));
        records.put(tier, records.key(1), SMALL, 200);

        assertThat(records.has(tier, records.key(1), SMALL, 200)).isTrue();
        restart();
        assertThat(records.has(tier, records.key(1), SMALL, 200)).isTrue();
    }

    @Test
    void theOldestLeaveAndTheBudgetHolds() {
        IntStream.range(0, 20 * PER_REGION).forEach(i -> records.put(tier, i, SMALL));
        records.settle();

        assertThat(disk.bytes()).isLessThanOrEqualTo(disk.settings().bytes());
        assertThat(tier.usedBytes()).isLessThanOrEqualTo(tier.limitBytes());
        assertThat(records.has(tier, 0, SMALL)).isFalse();
        assertThat(IntStream.range(18 * PER_REGION, 20 * PER_REGION)).allMatch(i -> records.has(tier, i, SMALL));
        assertThat(tier.counters().evictions().sum()).isPositive();
    }

    @Test
    void whatIsReadStaysWhenItsRegionIsGivenUp() {
        records.put(tier, 0, SMALL);
        records.settle();
        for (int i = 1; i < 20 * PER_REGION; i++) {
            records.put(tier, i, SMALL);
            if (i % PER_REGION == 0) {
                records.settle();
                assertThat(records.has(tier, 0, SMALL)).as("after " + i).isTrue();
            }
        }
    }

    @Test
    void roomIsMadeEvenIfEverythingIsRead() {
        for (int i = 0; i < 20 * PER_REGION; i++) {
            records.put(tier, i, SMALL);
            records.settle();
            assertThat(records.has(tier, i, SMALL)).isTrue();
        }

        assertThat(disk.bytes())
                .as("%s", disk.lengths())
                .isLessThanOrEqualTo(disk.settings().bytes());
        assertThat(tier.counters().dropped().sum()).isZero();
    }

    @Test
    void aSmallerBudgetKeepsTheNewest() {
        IntStream.range(0, 3 * PER_REGION).forEach(i -> records.put(tier, i, SMALL));
        tier.close();

        disk = new SmallDisk(disk.folder(), 2);
        tier = disk.open(records.pool());

        assertThat(disk.bytes()).isLessThanOrEqualTo(disk.settings().bytes());
        assertThat(records.has(tier, 3 * PER_REGION - 1, SMALL)).isTrue();
        assertThat(records.has(tier, 0, SMALL)).isFalse();
    }

    @Test
    void aLargerBudgetKeepsAllAndTakesMore() {
        IntStream.range(0, 2 * PER_REGION).forEach(i -> records.put(tier, i, SMALL));
        tier.close();

        disk = new SmallDisk(disk.folder(), 8);
        tier = disk.open(records.pool());
        IntStream.range(2 * PER_REGION, 6 * PER_REGION).forEach(i -> records.put(tier, i, SMALL));
        records.settle();

        assertThat(IntStream.range(0, 6 * PER_REGION)).allMatch(i -> records.has(tier, i, SMALL));
    }

    @Test
    void aBlockLongerThanAnyRecordIsDropped() {
        records.put(tier, 1, (int) SmallDisk.REGION_BYTES / 2);

        assertThat(tier.counters().dropped().sum()).isEqualTo(1);
        assertThat(tier.contains(records.key(1))).isFalse();
    }

    @Test
    void theLongestAndTheShortestBlocksThereAreComeBack() {
        tier.close();
        Records large = new Records(256 << 20);
        DiskSettings settings = DiskSettings.of(directory.resolve("large"), DiskSettings.MIN_BYTES, 1L << 30);
        tier = DiskTier.open(settings, large.pool(), Ticker.systemTicker());
        SmallDisk.await(tier, Condition.WORKING);

        large.put(tier, 1, 64 << 20);
        large.put(tier, 2, SMALL);
        large.put(tier, 3, 64 << 20);
        large.settle();

        assertThat(large.has(tier, 1, 64 << 20)).isTrue();
        assertThat(large.has(tier, 2, SMALL)).isTrue();
        assertThat(large.has(tier, 3, 64 << 20)).isTrue();
        assertThat(large.pool().usedBytes()).isZero();
    }

    @Test
    void othersFilesAreLeftAlone() throws Exception {
        tier.close();
        Path theirs = Files.writeString(disk.folder().resolve("theirs"), "text");

        tier = disk.open(records.pool());
        IntStream.range(0, 10 * PER_REGION).forEach(i -> records.put(tier, i, SMALL));
        records.settle();

        assertThat(theirs).hasContent("text");
    }

    @Test
    void noneKeepsNothing() {
        try (DiskTier none = DiskTier.none(records.pool())) {
            records.put(none, 1, SMALL);

            assertThat(records.has(none, 1, SMALL)).isFalse();
            assertThat(none.state().condition()).isEqualTo(Condition.NONE);
        }
    }

    private void restart() {
        tier.close();
        tier = disk.open(records.pool());
    }
}
