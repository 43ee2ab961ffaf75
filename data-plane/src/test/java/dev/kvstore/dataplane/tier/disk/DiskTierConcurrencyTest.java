package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers, writers and those who forget, while regions are given up under them. */
final class DiskTierConcurrencyTest {
    private static final int WRITES = 6_000;
    private static final int RECENT = 400;
    private static final int BYTES = 3_000;

    private final Records records = new Records(256 << 20);

    @TempDir
    private Path directory;

    @Test
    void aReaderNeverSeesAnotherBlocksBytes() {
        LongAdder found = new LongAdder();
        AtomicBoolean done = new AtomicBoolean();
        try (DiskTier tier = new SmallDisk(directory, 4).open(records.pool());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Void>> readers = IntStream.range(0, 4)
                    .mapToObj(seed -> CompletableFuture.runAsync(
                            () -> {
                                Random random = new Random(seed);
                                while (!done.get()) {
                                    // Compares what it finds with what was put.
                                    if (records.has(tier, random.nextInt(RECENT), BYTES)) {
                                        found.increment();
                                    }
                                }
                            },
                            threads))
                    .toList();
            Random random = new Random(99);
            for (int i = 0; i < WRITES; i++) {
                int key = random.nextInt(RECENT);
                if (random.nextInt(10) == 0) {
                    tier.forget(records.key(key));
                }
                records.put(tier, key, BYTES);
            }
            done.set(true);
            readers.forEach(CompletableFuture::join);

            assertThat(found.sum()).isPositive();
            assertThat(tier.counters().evictions().sum()).isPositive();
            assertThat(tier.counters().damaged().sum()).isZero();
            assertThat(tier.counters().errors().sum()).isZero();
        }
        assertThat(records.pool().usedBytes()).isZero();
    }
}
