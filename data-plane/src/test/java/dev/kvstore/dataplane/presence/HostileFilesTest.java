package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.OthersLogs;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.presence.snapshot.Sealed;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Any file that a tenant puts beside its own presence files costs a process little. The file stays, and once it is gone
 * all is as before.
 */
@Timeout(180)
final class HostileFilesTest {
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);
    private static final String FOLDER = "kv/v1/" + ROOT.hex() + "/presence/";
    private static final String LOG = "zz.0123456789abcdef.";

    /** More than it takes to read all that may be read of a partition, and far less than what lies there. */
    private static final long MOST_ALLOCATED = 24 << 20;

    private final MemoryPool pool = new MemoryPool(80 << 20, Duration.ZERO);
    private final MemoryStore blobs = new MemoryStore();
    private final AtomicInteger calls = new AtomicInteger();
    private final HookedStore store = new HookedStore(blobs).before((_, _) -> calls.incrementAndGet());
    private final AtomicLong clock = new AtomicLong();
    private final Random random = new Random(1);

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void aLogOfSixtyFiveMebibytes() throws Exception {
        assertIsEndured(LOG + 0, log((65 << 20) / Long.BYTES - 4));
    }

    @Test
    void aLogOfMoreKeysThanAnyProcessTells() throws Exception {
        assertIsEndured(LOG + 0, log(65_537));
    }

    @Test
    void aLogThatClaimsTheMostKeysThereAre() throws Exception {
        ByteBuffer log = log(10).order(ByteOrder.LITTLE_ENDIAN).putInt(20, Integer.MAX_VALUE);
        assertIsEndured(LOG + 0, Sealed.seal(log.position(log.limit() - Integer.BYTES)));
    }

    @Test
    void aManifestThatNamesAHundredThousandRuns() throws Exception {
        assertIsEndured("snapshot", manifest(100_000, 1));
    }

    @Test
    void aManifestThatClaimsTheMostRunsThereAre() throws Exception {
        ByteBuffer manifest = manifest(1, 1).order(ByteOrder.LITTLE_ENDIAN).putInt(16, Integer.MAX_VALUE);
        assertIsEndured("snapshot", Sealed.seal(manifest.position(manifest.limit() - Integer.BYTES)));
    }

    @Test
    void aPartThatIsUsedAThousandTimes() throws Exception {
        SnapshotFiles files = new SnapshotFiles(blobs, pool, FOLDER, random);
        files.put(null, 1, visitor -> {
            for (long key = 0; key < 200_000; key++) {
                visitor.visit(key << 44);
            }
        });
        String part = blobs.list(FOLDER + "parts/", null, 10).names().getFirst();
        long number = Long.parseUnsignedLong(part.substring(part.length() - 16), 16);
        blobs.lose(FOLDER + "snapshot");

        assertIsEndured("snapshot", manifest(1_000, number));
    }

    @Test
    void aHundredThousandLogs() throws Exception {
        PartitionPresence writer = wholePartition();
        for (int i = 0; i < 100_000; i++) {
            blobs.putIfAbsent(FOLDER + LOG + i, ByteBuffer.wrap(new byte[1]));
        }
        calls.set(0);
        PartitionPresence reader = process("b");

        assertThat(reader.prepare()).isFalse();
        assertThat(calls).as("calls to storage").hasValueLessThan(200);
        clock.addAndGet(OthersLogs.DEAD.toNanos());
        assertThat(reader.prepare()).isFalse();
        assertThat(calls).as("calls to storage, looked at twice").hasValueLessThan(400);
        assertThat(blobs.exists(FOLDER + LOG + 0)).isTrue();
        assertThat(blobs.exists(FOLDER + LOG + 99_999)).isTrue();

        for (int i = 0; i < 100_000; i++) {
            blobs.lose(FOLDER + LOG + i);
        }
        assertIsTrustedAgain(reader);
        assertIsTrustedAgain(writer);
    }

    /** Other programs' files, which no process ever took for a log of its own. */
    @Test
    void filesThatAreNoLogs() throws Exception {
        wholePartition();
        blobs.putIfAbsent(FOLDER + "readme.txt", ByteBuffer.wrap(new byte[100]));
        // As storage with a hierarchical namespace lists a folder.
        blobs.putZeros(FOLDER + "parts", 0);
        PartitionPresence reader = process("b");

        assertThat(reader.prepare()).isTrue();
        clock.addAndGet(OthersLogs.DEAD.toNanos());
        assertThat(reader.prepare()).isTrue();
        assertThat(blobs.exists(FOLDER + "readme.txt")).isTrue();
    }

    /** Logs of other processes go on being merged, or there would be ever more of them. */
    @Test
    void wholeLogsAreMergedBesideOneThatIsNot() throws Exception {
        wholePartition();
        blobs.putZeros(FOLDER + LOG + 0, 1 << 20);
        for (int i = 0; i < 2 * PartitionLearner.MERGE_LOGS; i++) {
            PartitionPresence writer = process("n" + i);
            store(writer, i);
            writer.beat(true);
        }

        assertThat(blobs.list(FOLDER + "n", null, 5000).names()).hasSizeLessThan(PartitionLearner.MERGE_LOGS);
        assertThat(blobs.exists(FOLDER + LOG + 0)).isTrue();
    }

    private void assertIsEndured(String name, ByteBuffer content) throws Exception {
        PartitionPresence writer = wholePartition();
        blobs.lose(FOLDER + name);
        blobs.putIfAbsent(FOLDER + name, content);
        PartitionPresence reader = process("b");
        warmUp();
        long before = allocatedBytes();

        for (int i = 0; i < 2; i++) {
            assertThat(reader.prepare()).as("trusted").isFalse();
            clock.addAndGet(Duration.ofSeconds(60).toNanos());
        }

        assertThat(allocatedBytes() - before).as("bytes allocated").isLessThan(MOST_ALLOCATED);
        assertThat(read(name)).as("what the tenant put there").isEqualTo(content);
        blobs.lose(FOLDER + name);
        assertIsTrustedAgain(reader);
        assertIsTrustedAgain(writer);
    }

    /** A call that loads the classes. */
    private void warmUp() throws Exception {
        new PartitionPresence(
                        new PresenceFiles(blobs, pool, new BlockHash(9, 9, 9, 9)),
                        LogWriter.of("x", random),
                        false,
                        clock::get,
                        random,
                        Runnable::run,
                        PresenceMeters.in(new SimpleMeterRegistry()))
                .prepare();
    }

    private ByteBuffer read(String name) throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(66 << 20);
        for (int at = 0; ; at += 1 << 20) {
            var some = blobs.getRange(FOLDER + name, at, 1 << 20, pool);
            if (some == null) {
                return bytes.flip();
            }
            bytes.put(some.memory().bytes());
            some.memory().release();
        }
    }

    private void assertIsTrustedAgain(PartitionPresence process) {
        for (int i = 0; i < 4; i++) {
            clock.addAndGet(Duration.ofSeconds(60).toNanos());
            process.prepare();
        }
        assertThat(process.prepare()).as("trusted again").isTrue();
        assertThat(process.mightContain(1)).isTrue();
        assertThat(process.mightContain(-1)).isFalse();
    }

    private static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
    }

    /** With one block and a snapshot. */
    private PartitionPresence wholePartition() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, 1);
        writer.beat(true);
        return writer;
    }

    private void store(PartitionPresence process, long key) throws Exception {
        process.begin();
        blobs.putIfAbsent("kv/v1/" + ROOT.hex() + "/partition.json", ByteBuffer.wrap(new byte[1]));
        String hex = new BlockHash(key, 0, 0, 0).hex();
        blobs.putIfAbsent("kv/v1/" + ROOT.hex() + "/" + hex.substring(0, 2) + "/" + hex, ByteBuffer.wrap(new byte[1]));
        process.stored(key);
        process.end();
    }

    private PartitionPresence process(String node) {
        return new PartitionPresence(
                new PresenceFiles(store.store(), pool, ROOT),
                LogWriter.of(node, random),
                false,
                clock::get,
                random,
                Runnable::run,
                PresenceMeters.in(new SimpleMeterRegistry()));
    }

    /** A closed log, as a process of ours would write it. */
    private static ByteBuffer log(int keys) {
        ByteBuffer bytes = sealed(24 + keys * Long.BYTES, "KVPL", 1);
        bytes.putLong(1).putInt(0).putInt(keys);
        SplittableRandom some = new SplittableRandom(1);
        for (int i = 0; i < keys; i++) {
            bytes.putLong(some.nextLong() >>> 1);
        }
        return Sealed.seal(bytes);
    }

    /** A manifest of runs that have one part each, always the same. */
    private static ByteBuffer manifest(int runs, long part) {
        ByteBuffer bytes = sealed(20 + runs * 12, "KVPS", 2);
        bytes.putLong(1).putInt(runs);
        for (int i = 0; i < runs; i++) {
            bytes.putInt(1).putLong(part);
        }
        return Sealed.seal(bytes);
    }

    private static ByteBuffer sealed(int length, String magic, int version) {
        return ByteBuffer.allocate(length + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(magic.getBytes(StandardCharsets.US_ASCII))
                .putInt(version);
    }
}
