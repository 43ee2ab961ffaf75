package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.log.Guards;
import dev.kvstore.dataplane.presence.log.Log;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The files of one account cost other accounts nothing. */
final class AccountSharesTest {
    private static final int KEYS = 1 << 20;

    private final MemoryPool pool = new MemoryPool(80 << 20, Duration.ZERO);
    private final AtomicLong clock = new AtomicLong();
    private final Random random = new Random(1);
    private final HeapLimit heap = HeapLimit.of(0, 32 << 20);
    private final Guards guards = new Guards(heap, clock::get);

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void anAccountHasNoMoreHeapThanItsShareHoweverManyPartitionsItHas() throws Exception {
        MemoryStore store = new MemoryStore();
        List<PartitionPresence> large = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            large.add(largePartition(store, "greedy", i));
        }
        PartitionPresence other = largePartition(new MemoryStore(), "other", 9);

        List<PartitionPresence> trusted = new ArrayList<>(large);
        trusted.removeIf(partition -> !partition.prepare());

        assertThat(heap.taken()).isLessThanOrEqualTo(heap.mostOfAccount());
        assertThat(trusted).hasSizeBetween(2, 5);
        assertThat(other.prepare()).as("another account").isTrue();
        assertThat(other.mightContain(-1)).isFalse();

        trusted.forEach(PartitionPresence::letGo);
        clock.addAndGet(PartitionPresence.LIMITED.toNanos());
        PartitionPresence refused = large.stream()
                .filter(partition -> !trusted.contains(partition))
                .findFirst()
                .orElseThrow();
        refused.prepare();
        assertThat(refused.prepare()).as("there is room now").isTrue();
        assertThat(refused.mightContain(key(KEYS - 1))).isTrue();
    }

    @Test
    void logsThatGoTogetherBeyondTheShareAreNotTaken() throws Exception {
        MemoryStore store = new MemoryStore();
        List<Long> keys = random.longs(60_000).boxed().toList();
        for (int i = 0; i < 20; i++) {
            store.putIfAbsent(folder(root(1)) + "zz.0123456789abcdef." + i, new Log(1, false, keys).encode());
        }
        PartitionPresence partition = partition(store, "greedy", root(1));

        assertThat(partition.prepare()).isFalse();

        assertThat(heap.taken()).isLessThanOrEqualTo(heap.mostOfAccount());
        for (int i = 0; i < 20; i++) {
            store.lose(folder(root(1)) + "zz.0123456789abcdef." + i);
        }
        clock.addAndGet(PartitionPresence.LIMITED.toNanos());
        partition.prepare();
        assertThat(partition.prepare()).isTrue();
        assertThat(heap.taken()).isLessThan(16 << 20);
    }

    @Test
    void oneWarningNamesTheAccountForAWhile() throws Exception {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord told) {
                warnings.add(new SimpleFormatter().formatMessage(told));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(Guards.class.getName());
        logger.addHandler(handler);
        // Tests that run in the same JVM silence the package.
        logger.setLevel(Level.WARNING);
        try {
            List<PartitionPresence> partitions = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                MemoryStore store = new MemoryStore();
                store.putZeros(folder(root(i)) + "zz.0123456789abcdef.0", 1 << 20);
                partitions.add(partition(store, "file:/greedy", root(i)));
            }
            for (int i = 0; i < 5; i++) {
                partitions.forEach(PartitionPresence::prepare);
                clock.addAndGet(PartitionPresence.LIMITED.toNanos());
            }
            assertThat(warnings)
                    .singleElement()
                    .satisfies(warning -> assertThat(warning)
                            .contains(
                                    "file:/greedy",
                                    root(0).hex(),
                                    "presence log zz.0123456789abcdef.0 has 1048576 bytes"));

            clock.addAndGet(Guards.QUIET.toNanos());
            partitions.forEach(PartitionPresence::prepare);
            assertThat(warnings).hasSize(2);
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(null);
        }
    }

    private PartitionPresence largePartition(MemoryStore store, String account, int number) throws Exception {
        new SnapshotFiles(store, pool, folder(root(number)), random).put(null, 1, visitor -> {
            for (int i = 0; i < KEYS; i++) {
                visitor.visit(key(i));
            }
        });
        store.putIfAbsent("kv/v1/" + root(number).hex() + "/partition.json", ByteBuffer.wrap(new byte[1]));
        return partition(store, account, root(number));
    }

    private static long key(int i) {
        return (long) i << 44 | 1L << 43;
    }

    private PartitionPresence partition(MemoryStore store, String account, BlockHash root) {
        return new PartitionPresence(
                new PresenceFiles(store, pool, root, guards.of(account)),
                LogWriter.of("a", random),
                false,
                clock::get,
                random,
                Runnable::run,
                PresenceMeters.in(new SimpleMeterRegistry()));
    }

    private static BlockHash root(int number) {
        return new BlockHash(1, 2, 3, number);
    }

    private static String folder(BlockHash root) {
        return "kv/v1/" + root.hex() + "/presence/";
    }
}
