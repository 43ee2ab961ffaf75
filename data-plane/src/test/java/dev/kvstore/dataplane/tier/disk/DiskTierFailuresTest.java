package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.rate.Breaker;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fail: the tier says so, misses, and never fails its caller. */
final class DiskTierFailuresTest {
    private static final int SMALL = 512;
    private static final int MANY = 200;
    private static final int VERSION_AT = 8;

    private final Records records = new Records(64 << 20);
    private final AtomicLong now = new AtomicLong();
    private final Ticker ticker = now::get;

    @TempDir
    private Path directory;

    @AfterEach
    void everyByteIsGivenBack() {
        assertThat(records.pool().usedBytes()).isZero();
    }

    @Test
    void aMissingFolderIsMade() {
        SmallDisk disk = new SmallDisk(directory.resolve("a/b/c"), 4);

        try (DiskTier tier = disk.open(records.pool())) {
            records.put(tier, 1, SMALL);
            records.settle();

            assertThat(records.has(tier, 1, SMALL)).isTrue();
        }
    }

    @Test
    void aSecondProcessOnTheFolderRunsWithoutItAndTakesOverAfterTheFirst() {
        SmallDisk disk = new SmallDisk(directory, 4);
        DiskTier first = disk.open(records.pool());
        records.put(first, 1, SMALL);
        try (DiskTier second = DiskTier.open(disk.settings(), records.pool(), Ticker.systemTicker())) {
            SmallDisk.await(second, Condition.UNUSABLE);
            assertThat(second.state().reason()).contains(directory.toString(), "in use");
            records.put(second, 2, SMALL);
            assertThat(records.has(second, 2, SMALL)).isFalse();
            assertThat(second.counters().dropped().sum()).isEqualTo(1);

            first.close();

            SmallDisk.await(second, Condition.WORKING);
            assertThat(records.has(second, 1, SMALL)).isTrue();
        } finally {
            first.close();
        }
    }

    @Test
    void whatIsForgottenWhileTheFolderCannotBeUsedIsNotServedAfterwards() {
        SmallDisk disk = new SmallDisk(directory, 4);
        DiskTier first = disk.open(records.pool());
        records.put(first, 1, SMALL);
        try (DiskTier second = DiskTier.open(disk.settings(), records.pool(), Ticker.systemTicker())) {
            SmallDisk.await(second, Condition.UNUSABLE);
            second.forget(records.key(1));
            first.close();

            SmallDisk.await(second, Condition.WORKING);

            assertThat(records.has(second, 1, SMALL)).isFalse();
        }
        try (DiskTier third = disk.open(records.pool())) {
            assertThat(records.has(third, 1, SMALL)).isFalse();
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsToldAndTriedAgain() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        SmallDisk disk = new SmallDisk(file.resolve("folder"), 4);
        try (DiskTier tier = DiskTier.open(disk.settings(), records.pool(), ticker)) {
            SmallDisk.await(tier, Condition.UNUSABLE);
            assertThat(tier.state().reason()).contains(file.toString());

            Files.delete(file);

            SmallDisk.await(tier, Condition.WORKING);
        }
    }

    @Test
    void aReadOnlyDiskIsTold() throws Exception {
        try (Mount mount = Mount.of(directory.resolve("disk"), 8 << 20)) {
            Files.createDirectories(mount.folder().resolve("tier"));
            mount.makeReadOnly();
            SmallDisk disk = new SmallDisk(mount.folder().resolve("tier"), 4);
            try (DiskTier tier = DiskTier.open(disk.settings(), records.pool(), ticker)) {
                SmallDisk.await(tier, Condition.UNUSABLE);

                assertThat(tier.state().reason()).contains(mount.folder().toString());
                assertThat(records.has(tier, 1, SMALL)).isFalse();
            }
        }
    }

    @Test
    void aDiskThatFillsUpIsMadeDoWith() throws Exception {
        long room = 3 * SmallDisk.REGION_BYTES + SmallDisk.REGION_BYTES / 2;
        try (Mount mount = Mount.of(directory.resolve("disk"), room)) {
            SmallDisk disk = new SmallDisk(mount.folder().resolve("tier"), 64);
            try (DiskTier tier = disk.open(records.pool())) {
                IntStream.range(0, MANY).forEach(i -> records.put(tier, i, SMALL));
                records.settle();

                assertThat(tier.counters().errors().sum()).isPositive();
                assertThat(tier.counters().evictions().sum()).isPositive();
                assertThat(tier.state().condition()).isEqualTo(Condition.WORKING);
                // One that meets the end of the room is dropped, and no more than that.
                for (int i = MANY; i < MANY + 20; i++) {
                    records.put(tier, i, SMALL);
                    records.settle();
                }
                assertThat(IntStream.range(MANY, MANY + 20).filter(i -> records.has(tier, i, SMALL)))
                        .hasSizeGreaterThan(15);
            }
        }
    }

    @Test
    void aDiskWithNoRoomAtAllIsLeftAloneForAWhile() throws Exception {
        try (Mount mount = Mount.of(directory.resolve("disk"), 1 << 20)) {
            SmallDisk disk = new SmallDisk(mount.folder().resolve("tier"), 64);
            try (DiskTier tier = disk.open(records.pool(), ticker)) {
                Path filler = fillUp(mount.folder());
                for (int i = 0; i < 2 * Breaker.FAILURES; i++) {
                    records.put(tier, i, SMALL);
                    records.settle();
                }
                assertThat(tier.counters().errors().sum()).isEqualTo(Breaker.FAILURES);
                assertThat(tier.counters().dropped().sum()).isEqualTo(2 * Breaker.FAILURES);
                assertThat(tier.state().condition()).isEqualTo(Condition.PAUSED);

                Files.delete(filler);
                now.set(DiskSettings.PAUSE.toNanos());
                records.put(tier, 1000, SMALL);
                records.settle();

                assertThat(records.has(tier, 1000, SMALL)).isTrue();
                assertThat(tier.state().condition()).isEqualTo(Condition.WORKING);
            }
        }
    }

    static Path fillUp(Path folder) throws Exception {
        Path filler = folder.resolve("filler");
        try (FileChannel file = FileChannel.open(filler, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer page = ByteBuffer.allocate(4096);
            while (file.write(page.clear()) == page.capacity()) {}
        } catch (IOException full) {
            assertThat(Files.getFileStore(folder).getUsableSpace()).isZero();
        }
        return filler;
    }

    @Test
    void aRegionThatCannotBeOpenedCostsItsRoomAndNothingElse() throws Exception {
        SmallDisk disk = new SmallDisk(directory, 4);
        // More than a region holds, however they are batched.
        int some = SmallDisk.REGION_PAGES;
        try (DiskTier tier = disk.open(records.pool())) {
            IntStream.range(0, some).forEach(i -> records.put(tier, i, SMALL));
        }
        Path first = disk.regionFiles().getFirst();
        Files.delete(first);
        Files.createDirectories(first.resolve("in the way"));

        try (DiskTier tier = disk.open(records.pool())) {
            assertThat(tier.counters().errors().sum()).isEqualTo(1);
            assertThat(records.has(tier, 0, SMALL)).isFalse();
            assertThat(records.has(tier, some - 1, SMALL)).isTrue();
            IntStream.range(some, MANY).forEach(i -> records.put(tier, i, SMALL));
            records.settle();
            assertThat(records.has(tier, MANY - 1, SMALL)).isTrue();
            assertThat(disk.regionFiles()).hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void aRegionOfAnotherVersionIsOverwritten() throws Exception {
        SmallDisk disk = new SmallDisk(directory, 4);
        try (DiskTier tier = disk.open(records.pool())) {
            records.put(tier, 1, SMALL);
        }
        for (Path file : disk.regionFiles()) {
            SmallDisk.flip(file, VERSION_AT, 1 << 1);
        }

        try (DiskTier tier = disk.open(records.pool())) {
            assertThat(tier.blocks()).isZero();
            records.put(tier, 2, SMALL);
            records.settle();
            assertThat(records.has(tier, 2, SMALL)).isTrue();
            assertThat(disk.regionFiles()).hasSize(1);
        }
    }

    @Test
    void aDamagedBlockIsForgottenAndCounted() throws Exception {
        SmallDisk disk = new SmallDisk(directory, 4);
        try (DiskTier tier = disk.open(records.pool())) {
            records.put(tier, 1, SMALL);
            records.settle();
            SmallDisk.flip(disk.regionFiles().getFirst(), 2 * 4096 + 100, 1);

            assertThat(records.has(tier, 1, SMALL)).isFalse();
            assertThat(tier.counters().damaged().sum()).isEqualTo(1);
            assertThat(tier.contains(records.key(1))).isFalse();
        }
        try (DiskTier tier = disk.open(records.pool())) {
            assertThat(tier.contains(records.key(1))).isFalse();
        }
    }

    @Test
    void aDiskThatCannotBeReadIsLeftAloneForAWhile() throws Exception {
        SmallDisk disk = new SmallDisk(directory, 4);
        try (DiskTier tier = disk.open(records.pool(), ticker)) {
            IntStream.range(0, 20).forEach(i -> records.put(tier, i, SMALL));
            records.settle();
            for (Path file : disk.regionFiles()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(0);
                }
            }

            IntStream.range(0, 20)
                    .forEach(i -> assertThat(records.has(tier, i, SMALL)).isFalse());

            assertThat(tier.counters().errors().sum()).isEqualTo(Breaker.FAILURES);
            assertThat(tier.state().condition()).isEqualTo(Condition.PAUSED);
            now.set(DiskSettings.PAUSE.toNanos());
            assertThat(records.has(tier, 0, SMALL)).isFalse();
            assertThat(tier.counters().errors().sum()).isEqualTo(Breaker.FAILURES + 1);
        }
    }
}
