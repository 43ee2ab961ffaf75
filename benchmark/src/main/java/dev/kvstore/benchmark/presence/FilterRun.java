package dev.kvstore.benchmark.presence;

import static java.util.Objects.requireNonNull;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.presence.snapshot.SnapshotVersion;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The data plane's own filter, of as many random keys as one likes: made as a listing makes it, and the last of the
 * keys merged into it as logs are; read again from files; asked. For one thread.
 */
final class FilterRun {
    private static final int MERGES = 32;

    /** The keys of 16 logs of 4,096 keys, which are merged at a time. */
    private static final int MERGED_KEYS = 65_536;

    private static final int LOADS = 5;
    private static final long POOL_BYTES = 64 << 20;

    private final Home home;
    private final long keys;
    private final int mergedKeys;
    private final Consumer<String> progress;
    private final SplittableRandom random = new SplittableRandom(1);

    /** @param keys 1 million or more */
    FilterRun(Home home, long keys, Consumer<String> progress) {
        this.home = home;
        this.keys = keys;
        this.mergedKeys = (int) Math.min(MERGED_KEYS, keys / MERGES / 8);
        this.progress = progress;
    }

    FilterReport run() throws IOException {
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-filter-");
                FilesystemStore store = FilesystemStore.open(folder.path(), InstantSource.system())) {
            MemoryPool pool = new MemoryPool(POOL_BYTES, Duration.ofSeconds(1));
            return measure(new SnapshotFiles(store, pool, "presence/", random), folder.path());
        } catch (MemoryExhaustedException | UnreadableException e) {
            throw new IllegalStateException(e);
        }
    }

    private FilterReport measure(SnapshotFiles files, Path folder)
            throws IOException, MemoryExhaustedException, UnreadableException {
        progress.accept("storing " + keys + " keys");
        FilterReport.MergeTimes merge = merge(files, folder);
        progress.accept("loading them");
        double[] loads = new double[LOADS];
        Snapshot snapshot = Snapshot.empty(0);
        long before = heap();
        for (int i = 0; i < LOADS; i++) {
            long start = System.nanoTime();
            snapshot = requireNonNull(files.read()).content();
            snapshot.mightContain(0);
            loads[i] = (System.nanoTime() - start) / 1e6;
        }
        long heap = heap() - before;
        long stored = sizes(folder).values().stream().mapToLong(size -> size).sum();
        progress.accept("asking");
        FilterQuestions questions = new FilterQuestions(snapshot, keys, random);
        FilterQuestions.FilterTimes answers = questions.ask();
        progress.accept("asking about every one");
        return new FilterReport(
                keys,
                snapshot.runs().size(),
                snapshot.parts(),
                (double) stored * Byte.SIZE / keys,
                (double) heap * Byte.SIZE / keys,
                answers.falsePositiveRate(),
                answers.absent(),
                questions.denied(),
                answers.together(),
                answers.alone(),
                answers.readNanos(),
                FilterQuestions.median(loads),
                merge);
    }

    private FilterReport.MergeTimes merge(SnapshotFiles files, Path folder)
            throws IOException, MemoryExhaustedException, UnreadableException {
        long listed = keys - (long) MERGES * mergedKeys;
        requireNonNull(files.put(null, 1, visitor -> list(listed, visitor)));
        SnapshotVersion<Snapshot> known = requireNonNull(files.read());
        double[] millis = new double[MERGES];
        long bytes = 0;
        for (int i = 0; i < MERGES; i++) {
            long from = listed + (long) i * mergedKeys;
            long[] news = LongStream.range(from, from + mergedKeys)
                    .map(FilterQuestions::key)
                    .toArray();
            Map<Path, Long> there = sizes(folder);
            long start = System.nanoTime();
            known = requireNonNull(files.merge(known, news));
            millis[i] = (System.nanoTime() - start) / 1e6;
            Map<Path, Long> written = sizes(folder);
            written.keySet().removeAll(there.keySet());
            bytes += written.values().stream().mapToLong(size -> size).sum();
        }
        return new FilterReport.MergeTimes(
                MERGES,
                mergedKeys,
                FilterQuestions.median(millis),
                Arrays.stream(millis).max().orElseThrow(),
                (double) bytes / MERGES);
    }

    /** The first keys in ascending order, a slice of all possible ones at a time. */
    private static void list(long count, SnapshotFiles.KeyVisitor visitor) throws StorageException {
        int bits = 64 - Long.numberOfLeadingZeros(count >>> 22);
        for (long slice = 0; slice < 1L << bits; slice++) {
            long mine = slice;
            long[] ascending = LongStream.range(0, count)
                    .map(FilterQuestions::key)
                    .filter(key -> bits == 0 || key >>> (Long.SIZE - bits) == mine)
                    .map(key -> key ^ Long.MIN_VALUE)
                    .sorted()
                    .toArray();
            for (long key : ascending) {
                visitor.visit(key ^ Long.MIN_VALUE);
            }
        }
    }

    private static Map<Path, Long> sizes(Path folder) throws IOException {
        Map<Path, Long> sizes = new HashMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sizes.put(file, Files.size(file));
            }
        }
        return sizes;
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
