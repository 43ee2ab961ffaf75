package dev.kvstore.dataplane.tier.disk;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.tier.disk.DiskState.Condition;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures a disk tier: writing and cold random reading of usual blocks by one thread and by four, the time to load the
 * index of many small blocks, and the heap that takes. Arguments: a folder on the disk to measure, the number of usual
 * blocks, the number of small ones. Needs their size on the disk, and leaves nothing there. A JVM with
 * {@code --limit-modules java.se -Dio.netty.noUnsafe=true} reads and writes through the page cache, which is dropped
 * before each measurement if this user may do that.
 */
final class DiskFigures {
    private static final int USUAL = 1_200_000;
    private static final int SMALL = 512;

    private final Records records = new Records(1L << 30);
    private final Path folder;

    private DiskFigures(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]).resolve("figures");
        DiskFigures figures = new DiskFigures(folder);
        figures.reads(Integer.parseInt(arguments[1]));
        figures.load(Integer.parseInt(arguments[2]));
        figures.remove();
    }

    private DiskTier open(long bytes) {
        DiskTier tier = DiskTier.open(DiskSettings.of(folder, bytes, 1L << 30), records.pool(), Ticker.systemTicker());
        SmallDisk.await(tier, Condition.WORKING);
        return tier;
    }

    private void reads(int blocks) throws Exception {
        long bytes = (long) (blocks + 300) * BlockMemory.padded(USUAL + 4096) + (1L << 30);
        long begin = System.nanoTime();
        try (DiskTier tier = open(bytes)) {
            System.out.println(tier.state().reason());
            for (int i = 0; i < blocks; i++) {
                records.put(tier, i, USUAL);
            }
            records.settle();
            report("written, block making included", blocks, begin);
        }
        try (DiskTier tier = open(bytes)) {
            read(tier, blocks, 4);
            for (int threads : new int[] {1, 4, 16}) {
                dropCaches();
                long start = System.nanoTime();
                read(tier, blocks, threads);
                report("read by " + threads + " threads, verified", blocks, start);
            }
        }
        remove();
    }

    /** Reads each block once, in no order. */
    private void read(DiskTier tier, int blocks, int threads) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, blocks).boxed().toList());
        Collections.shuffle(order, new Random(threads));
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int t = 0; t < threads; t++) {
                List<Integer> mine = order.subList(t * blocks / threads, (t + 1) * blocks / threads);
                executor.execute(() -> {
                    for (int i : mine) {
                        StoredBlock block = Records.get(tier, records.key(i));
                        if (block == null) {
                            throw new IllegalStateException("block " + i + " is missing");
                        }
                        block.release();
                    }
                });
            }
        }
    }

    private void dropCaches() throws IOException {
        for (Path file : new SmallDisk(folder, 0).regionFiles()) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                // Only what the disk has can be dropped.
                channel.force(false);
            }
        }
        Path drop = Path.of("/proc/sys/vm/drop_caches");
        if (Files.isWritable(drop)) {
            Files.writeString(drop, "1");
        }
    }

    private void load(int blocks) {
        long bytes = (long) blocks * 3 * BlockMemory.PAGE_BYTES + (1L << 30);
        try (DiskTier tier = open(bytes)) {
            for (int i = 0; i < blocks; i++) {
                records.put(tier, i, SMALL);
            }
            records.settle();
        }
        long before = heap();
        long start = System.nanoTime();
        try (DiskTier tier = open(bytes)) {
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            long heap = heap() - before;
            System.out.printf(
                    "%d small blocks loaded in %d ms; %.1f bytes of heap each%n",
                    tier.blocks(), took.toMillis(), (double) heap / tier.blocks());
        }
    }

    private static long heap() {
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void report(String what, int blocks, long startNanos) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        System.out.printf("%s: %.0f MB/s%n", what, blocks * (USUAL / 1e6) / seconds);
    }

    private void remove() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
