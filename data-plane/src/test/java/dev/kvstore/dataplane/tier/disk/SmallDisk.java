package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A folder with small regions, and tiers opened in it. */
record SmallDisk(Path folder, int regions) {
    static final int REGION_PAGES = 64;
    static final long REGION_BYTES = (long) REGION_PAGES * BlockMemory.PAGE_BYTES;

    DiskSettings settings() {
        long bytes = regions * REGION_BYTES + Folder.BOOKKEEPING_BYTES;
        return new DiskSettings(folder, bytes, REGION_PAGES, 1 << 20, Duration.ofMillis(20));
    }

    /** A tier that has loaded what is there, on all of its disks. */
    DiskTier open(MemoryPool pool, Ticker ticker) {
        DiskTier tier = DiskTier.open(settings(), pool, ticker);
        await(tier, Condition.WORKING);
        awaitReason(tier, reason -> !reason.contains("loading"));
        return tier;
    }

    DiskTier open(MemoryPool pool) {
        return open(pool, Ticker.systemTicker());
    }

    static void await(DiskTier tier, Condition condition) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> assertThat(tier.state().condition())
                        .as(tier.state().reason())
                        .isEqualTo(condition));
    }

    static void awaitReason(DiskTier tier, Predicate<String> expected) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> assertThat(tier.state().reason()).matches(expected));
    }

    /** The disk that a process leaves behind if it is killed now. */
    SmallDisk killed(Path copy) {
        try {
            Files.createDirectories(copy);
            for (Path file : files(folder)) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
            return new SmallDisk(copy, regions);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Path> regionFiles() {
        return files(folder).stream()
                .filter(file -> file.getFileName().toString().startsWith("region-"))
                .toList();
    }

    long bytes() {
        return lengths().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Bytes of each file, by its name. */
    Map<String, Long> lengths() {
        return files(folder).stream()
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString(),
                        file -> file.toFile().length(),
                        Math::max,
                        TreeMap::new));
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes bits of one byte. */
    static void flip(Path file, long offset, int bits) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            int before = bytes.read();
            bytes.seek(offset);
            bytes.write(before ^ bits);
        }
    }
}
