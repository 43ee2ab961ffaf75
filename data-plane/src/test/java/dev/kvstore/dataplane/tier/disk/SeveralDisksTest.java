package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tier whose folder has a folder for each of several disks. */
final class SeveralDisksTest {
    private static final int REGIONS = 6;

    /** Two of these take up most of a region. */
    private static final int LENGTH = 100 << 10;

    private static final int BLOCKS = 10;

    private final Records records = new Records(64 << 20);

    @TempDir
    private Path directory;

    private SmallDisk tier;

    @BeforeEach
    void threeDisks() throws IOException {
        tier = new SmallDisk(directory.resolve("tier"), REGIONS);
        for (int i = 0; i < 3; i++) {
            Files.createDirectories(folder(i));
        }
    }

    @AfterEach
    void everyByteIsGivenBack() {
        assertThat(records.pool().usedBytes()).isZero();
    }

    private Path folder(int disk) {
        return tier.folder().resolve("disk-" + disk);
    }

    private int regionsOn(int disk) {
        return new SmallDisk(folder(disk), 0).regionFiles().size();
    }

    private void fill(DiskTier opened) {
        for (int i = 0; i < BLOCKS; i++) {
            records.put(opened, i, LENGTH);
            records.settle();
        }
    }

    private long found(DiskTier opened) {
        return IntStream.range(0, BLOCKS)
                .filter(i -> records.has(opened, i, LENGTH))
                .count();
    }

    @Test
    void theRegionsLieOnTheDisksInTurns() {
        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);

            assertThat(found(opened)).isEqualTo(BLOCKS);
            assertThat(opened.state().reason()).contains("3 disks");
        }
        assertThat(tier.regionFiles()).isEmpty();
        assertThat(IntStream.range(0, 3).map(this::regionsOn)).allMatch(count -> count >= 1 && count <= 2);
    }

    @Test
    void allBlocksAreThereAgainAfterARestart() {
        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);
        }
        try (DiskTier opened = tier.open(records.pool())) {
            assertThat(found(opened)).isEqualTo(BLOCKS);
        }
    }

    @Test
    void aDiskThatCannotBeUsedIsToldAndTheOthersServe() throws IOException {
        Files.createDirectory(folder(1).resolve("probe"));
        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);

            assertThat(found(opened)).isEqualTo(BLOCKS);
            assertThat(opened.state().reason())
                    .contains("left out: " + folder(1).resolve("probe"));
        }
        assertThat(regionsOn(1)).isZero();
    }

    @Test
    void withoutAnyDiskTheTierIsUnusable() throws IOException {
        for (int i = 0; i < 3; i++) {
            Files.createDirectory(folder(i).resolve("probe"));
        }
        try (DiskTier opened = DiskTier.open(tier.settings(), records.pool(), InstantSource.system())) {
            SmallDisk.await(opened, Condition.UNUSABLE);

            assertThat(opened.state().reason()).contains(folder(0).toString());
        }
    }

    @Test
    void aDiskThatWasAwayBringsNoForgottenBlockBack() throws IOException {
        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);
        }
        Path away = directory.resolve("away");
        for (int disk = 0; disk < 3; disk++) {
            Files.move(folder(disk), away);
            Files.createDirectory(folder(disk));
            Files.createDirectory(folder(disk).resolve("probe"));
            try (DiskTier opened = tier.open(records.pool())) {
                IntStream.range(0, BLOCKS).forEach(i -> opened.forget(records.key(i)));
                // Enough blocks that no region with a record of a forgotten block is left.
                for (int i = 0; i < 3 * BLOCKS; i++) {
                    records.put(opened, 1_000 * (disk + 1) + i, LENGTH);
                    records.settle();
                }
            }
            Files.delete(folder(disk).resolve("probe"));
            Files.delete(folder(disk));
            Files.move(away, folder(disk));

            // With more regions than before: else those of the disk would be too many, and deleted for that.
            try (DiskTier opened = new SmallDisk(tier.folder(), 3 * REGIONS).open(records.pool())) {
                assertThat(found(opened)).as("without disk " + disk).isZero();
            }
        }
    }

    @Test
    void moreDisksThanBeforeTakeTheRegionsThatComeToLieOnOthers() throws IOException {
        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);
        }
        Files.createDirectory(folder(3));

        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);
            assertThat(found(opened)).isEqualTo(BLOCKS);
        }
        int all = IntStream.range(0, 4).map(this::regionsOn).sum();
        assertThat(all).isLessThanOrEqualTo(REGIONS);
    }

    @Test
    void regionsOfBeforeThereWereSeveralDisksAreDeleted() throws IOException {
        SmallDisk alone = new SmallDisk(directory.resolve("alone"), REGIONS);
        try (DiskTier opened = alone.open(records.pool())) {
            fill(opened);
        }
        assertThat(alone.regionFiles()).isNotEmpty();
        Files.createDirectory(alone.folder().resolve("disk-0"));

        try (DiskTier opened = alone.open(records.pool())) {
            assertThat(found(opened)).isZero();
        }
        assertThat(alone.regionFiles()).isEmpty();
    }
}
