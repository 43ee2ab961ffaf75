package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.rate.Breaker;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tier whose folder has a folder for each of several disks. */
final class SeveralDisksTest {
    /** Four for each disk, and some bytes. */
    private static final int REGIONS = 13;

    /** Two of these take up most of a region. */
    private static final int LENGTH = 100 << 10;

    private static final int BLOCKS = 10;

    private static final int SMALL = 512;
    private static final int SMALL_BLOCKS = 2 * Breaker.FAILURES;

    private final Records records = new Records(64 << 20);
    private final AtomicLong now = new AtomicLong();
    private final Ticker ticker = now::get;

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
    void theBlocksLieOnTheDisksInTurns() {
        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);

            assertThat(found(opened)).isEqualTo(BLOCKS);
            assertThat(opened.state().reason()).contains("3 disks");
        }
        assertThat(tier.regionFiles()).isEmpty();
        assertThat(IntStream.range(0, 3).map(this::regionsOn)).allMatch(count -> count == 2);
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
                    .contains("unusable: " + folder(1).resolve("probe"));
        }
        assertThat(regionsOn(1)).isZero();
    }

    @Test
    void withoutAnyDiskTheTierIsUnusable() throws IOException {
        for (int i = 0; i < 3; i++) {
            Files.createDirectory(folder(i).resolve("probe"));
        }
        try (DiskTier opened = DiskTier.open(tier.settings(), records.pool(), Ticker.systemTicker())) {
            SmallDisk.await(opened, Condition.UNUSABLE);

            assertThat(opened.state().reason()).contains(folder(0).toString());
        }
    }

    /** How a disk may be away for a run. */
    enum Absence {
        FAULTY,
        NOT_MOUNTED,
        WITHOUT_A_FOLDER;

        void begin(Path folder) throws IOException {
            if (this != WITHOUT_A_FOLDER) {
                Files.createDirectory(folder);
            }
            if (this == FAULTY) {
                Files.createDirectory(folder.resolve("probe"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDiskThatWasAwayBringsNoForgottenBlockBack(Absence absence) throws IOException {
        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);
        }
        for (int disk = 0; disk < 3; disk++) {
            Path away = Files.move(folder(disk), directory.resolve("away-" + disk));
            absence.begin(folder(disk));
            runThatForgetsAll(1_000 * (disk + 1));
            bringBack(away, folder(disk));

            try (DiskTier opened = larger().open(records.pool())) {
                assertThat(found(opened)).as("without disk " + disk).isZero();
            }
        }
    }

    @Test
    void disksThatWereAllNotMountedBringNoForgottenBlockBack() throws IOException {
        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);
        }
        for (int disk = 0; disk < 3; disk++) {
            Files.move(folder(disk), directory.resolve("away-" + disk));
            Absence.NOT_MOUNTED.begin(folder(disk));
        }
        runThatForgetsAll(1_000);
        for (int disk = 0; disk < 3; disk++) {
            bringBack(directory.resolve("away-" + disk), folder(disk));
        }

        try (DiskTier opened = larger().open(records.pool())) {
            assertThat(found(opened)).isZero();
        }
    }

    /** Writes enough besides that no region with a record of a forgotten block is left. */
    private void runThatForgetsAll(int first) {
        try (DiskTier opened = tier.open(records.pool())) {
            IntStream.range(0, BLOCKS).forEach(i -> opened.forget(records.key(i)));
            for (int i = 0; i < 3 * BLOCKS; i++) {
                records.put(opened, first + i, LENGTH);
                records.settle();
            }
        }
    }

    /** With more regions than before: else regions that come back would be too many, and deleted for that. */
    private SmallDisk larger() {
        return new SmallDisk(tier.folder(), 3 * REGIONS);
    }

    private static void bringBack(Path away, Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.move(away, folder);
    }

    @Test
    void aDiskThatGoesAwayIsPassedOverUntilItComesBack() throws IOException {
        try (DiskTier opened = tier.open(records.pool())) {
            Path away = Files.move(folder(1), directory.resolve("away"));
            for (int i = 0; i < 3; i++) {
                records.put(opened, 1_000 + i, LENGTH);
            }
            SmallDisk.awaitReason(opened, reason -> reason.contains("unusable: " + folder(1)));

            fill(opened);

            assertThat(found(opened)).isEqualTo(BLOCKS);
            assertThat(opened.state().condition()).isEqualTo(Condition.WORKING);

            Files.move(away, folder(1));
            SmallDisk.awaitReason(opened, reason -> !reason.contains("unusable") && !reason.contains("loading"));
            for (int i = 0; i < 3; i++) {
                records.put(opened, 2_000 + i, LENGTH);
            }
            records.settle();
        }
        assertThat(regionsOn(1)).isPositive();
    }

    @Test
    void aDiskThatCannotBeReadPausesAlone() throws IOException {
        try (DiskTier opened = tier.open(records.pool())) {
            for (int i = 0; i < 3 * SMALL_BLOCKS; i++) {
                records.put(opened, i, SMALL);
            }
            records.settle();
            for (Path file : new SmallDisk(folder(1), 0).regionFiles()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(0);
                }
            }

            long there = IntStream.range(0, 3 * SMALL_BLOCKS)
                    .filter(i -> records.has(opened, i, SMALL))
                    .count();

            assertThat(there).isEqualTo(2 * SMALL_BLOCKS);
            assertThat(opened.counters().errors().sum()).isEqualTo(Breaker.FAILURES);
            assertThat(opened.state().condition()).isEqualTo(Condition.WORKING);
            assertThat(opened.state().reason()).contains("paused: " + folder(1));
        }
    }

    @Test
    void aDiskThatHangsHoldsUpNoOther() throws Exception {
        try (LoopDisk disk = LoopDisk.at(folder(1), directory.resolve("image"));
                DiskTier opened = tier.open(records.pool(), ticker)) {
            disk.freeze();
            for (int i = 0; i < 6; i++) {
                records.put(opened, 1_000 + i, LENGTH);
            }
            SmallDisk.awaitReason(opened, _ -> opened.counters().demotions().sum() == 4);
            now.addAndGet(Duration.ofSeconds(60).toNanos());

            assertThat(opened.state().reason()).contains("paused: " + folder(1));
            for (int i = 0; i < BLOCKS; i++) {
                records.put(opened, i, LENGTH);
            }
            SmallDisk.awaitReason(opened, _ -> opened.counters().demotions().sum() == 4 + BLOCKS);
            assertThat(found(opened)).isEqualTo(BLOCKS);
            assertThat(opened.counters().dropped().sum()).isEqualTo(2);

            disk.thaw();
            SmallDisk.awaitReason(opened, reason -> !reason.contains("paused"));
        }
    }

    @Test
    void aDiskThatWasNotToldOfForgottenBlocksBeginsEmpty() throws Exception {
        try (Mount mount = Mount.of(folder(1), 2 << 20)) {
            Path filler;
            try (DiskTier opened = tier.open(records.pool())) {
                fill(opened);
                filler = DiskTierFailuresTest.fillUp(mount.folder());
                IntStream.range(0, BLOCKS).forEach(i -> opened.forget(records.key(i)));
            }
            Files.delete(filler);

            try (DiskTier opened = tier.open(records.pool())) {
                assertThat(found(opened)).isZero();
            }
        }
    }

    @Test
    void aDiskThatWasNotToldOfForgottenBlocksBeginsEmptyAfterAKill() throws Exception {
        try (Mount mount = Mount.of(folder(1), 2 << 20);
                DiskTier opened = tier.open(records.pool())) {
            fill(opened);
            Path filler = DiskTierFailuresTest.fillUp(mount.folder());
            IntStream.range(0, BLOCKS).forEach(i -> opened.forget(records.key(i)));
            SmallDisk.awaitReason(opened, _ -> !isTrusted(folder(1)));
            Files.delete(filler);
            SmallDisk killed = killed();

            try (DiskTier next = killed.open(records.pool())) {
                assertThat(found(next)).isZero();
            }
        }
    }

    @Test
    void aDiskThatTakesTheNamesAfterAllKeepsItsBlocks() throws Exception {
        try (Mount mount = Mount.of(folder(1), 2 << 20);
                DiskTier opened = tier.open(records.pool())) {
            fill(opened);
            Path filler = DiskTierFailuresTest.fillUp(mount.folder());
            IntStream.range(0, BLOCKS / 2).forEach(i -> opened.forget(records.key(i)));
            SmallDisk.awaitReason(opened, _ -> !isTrusted(folder(1)));
            Files.delete(filler);
            SmallDisk.awaitReason(opened, _ -> isTrusted(folder(1)));
            SmallDisk killed = killed();

            try (DiskTier next = killed.open(records.pool())) {
                assertThat(found(next)).isEqualTo(BLOCKS - BLOCKS / 2);
            }
        }
    }

    /** Whether a process that is started now believes the disk. */
    private static boolean isTrusted(Path folder) {
        try {
            return new DiskMark(folder, false).isCurrent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The disks that a process leaves behind if it is killed now. */
    private SmallDisk killed() throws IOException {
        Path copy = directory.resolve("killed");
        try (Stream<Path> files = Files.walk(tier.folder())) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(tier.folder().relativize(file)));
            }
        }
        return new SmallDisk(copy, REGIONS);
    }

    @Test
    void aDiskMoreThanBeforeLeavesTheBlocksWhereTheyAreAndTakesItsTurns() throws IOException {
        try (DiskTier opened = tier.open(records.pool())) {
            fill(opened);
        }
        Files.createDirectory(folder(3));

        try (DiskTier opened = tier.open(records.pool())) {
            assertThat(found(opened)).isEqualTo(BLOCKS);
            for (int i = 0; i < 4; i++) {
                records.put(opened, 1_000 + i, LENGTH);
            }
        }
        assertThat(regionsOn(3)).isEqualTo(1);
        int all = IntStream.range(0, 4).map(this::regionsOn).sum();
        assertThat(all).isLessThanOrEqualTo(REGIONS);
    }

    @Test
    void noMoreDisksAreUsedThanCanHaveTwoRegionsEach() {
        try (DiskTier opened = new SmallDisk(tier.folder(), 5).open(records.pool())) {
            for (int i = 0; i < 3; i++) {
                records.put(opened, i, LENGTH);
            }
            assertThat(opened.state().reason()).startsWith("2 disks");
        }
        assertThat(IntStream.range(0, 3).map(this::regionsOn)).containsExactly(1, 1, 0);
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
