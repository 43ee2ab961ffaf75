package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.snapshot.Sealed;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.storage.BlobFiles;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MeteredStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that tell each other, through nothing but storage, what of a partition is stored. */
final class PartitionPresenceTest {
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);
    private static final String FOLDER = "kv/v1/" + ROOT.hex() + "/presence/";
    private static final Duration BEAT = Presence.BEAT;

    private final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicLong clock = new AtomicLong();
    private final Random random = new Random(1);

    @TempDir
    private Path directory;

    private MeteredStore store;

    @BeforeEach
    void open() throws IOException {
        store = new MeteredStore(FilesystemStore.open(directory, InstantSource.system()), meters);
    }

    @AfterEach
    void everythingIsGivenBack() {
        store.close();
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void ofAnEmptyPartitionNothingIsStored() throws Exception {
        PartitionPresence process = process("a");

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(1)).isFalse();
    }

    @Test
    void whatOneStoredOthersKnowAfterItsBeat() throws Exception {
        PartitionPresence writer = process("a");
        PartitionPresence reader = process("b");
        reader.prepare();
        store(writer, 1);
        assertThat(writer.mightContain(1)).isTrue();

        writer.beat(false);
        advance(PartitionPresence.STALE);

        assertThat(reader.prepare()).isTrue();
        assertThat(reader.mightContain(1)).isTrue();
        assertThat(reader.mightContain(2)).isFalse();
    }

    @Test
    void aNewProcessKnowsWhatOthersStored() throws Exception {
        PartitionPresence writer = process("a");
        writer.begin();
        describe();
        int keys = 3 * Log.MAX_KEYS + 1;
        for (int key = 0; key < keys; key++) {
            writer.stored(spread(key));
            if (key % 1000 == 0) {
                writer.beat(false);
            }
        }
        writer.end();
        writer.beat(false);

        PartitionPresence reader = process("b");
        reader.prepare();

        for (int key = 0; key < keys; key++) {
            assertThat(reader.mightContain(spread(key))).isTrue();
        }
        assertThat(reader.mightContain(spread(keys))).isFalse();
    }

    /** As hashes are. */
    private static long spread(int key) {
        return new SplittableRandom(key).nextLong();
    }

    @Test
    void anOpenLogIsTheWholeTruthOnceItWasSeenChanging() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, 1);

        PartitionPresence reader = process("b");
        assertThat(reader.prepare()).isFalse();

        advance(BEAT);
        writer.beat(false);
        assertThat(reader.prepare()).isTrue();
    }

    @Test
    void anOpenLogThatWasNotSeenForLongMayHideBlocks() throws Exception {
        PartitionPresence writer = process("a");
        PartitionPresence reader = process("b");
        reader.prepare();
        store(writer, 1);

        advance(OthersLogs.UNPROVEN);

        assertThat(reader.prepare()).isFalse();
    }

    @Test
    void completeLogsBecomeASnapshot() throws Exception {
        for (int i = 0; i <= PartitionPresence.MERGE_LOGS; i++) {
            PartitionPresence writer = process("n" + i);
            store(writer, i);
            writer.beat(true);
        }

        assertThat(logs()).hasSizeLessThan(3);
        PartitionPresence reader = process("b");
        assertThat(reader.prepare()).isTrue();
        for (int i = 0; i <= PartitionPresence.MERGE_LOGS; i++) {
            assertThat(reader.mightContain(i)).isTrue();
        }
    }

    @Test
    void ofAChainTheBlocksBeforeTheFirstDeniedAreCandidates() throws Exception {
        PartitionPresence process = process("a");
        process.prepare();
        process.begin();

        for (int stored = 0; stored < 200; stored++) {
            assertThat(process.candidates(chain(200), 0)).isEqualTo(stored);
            process.stored(spread(stored));
        }

        process.end();
    }

    @Test
    void aLongerChainTakesNoMoreHeapToAnswer() throws Exception {
        PartitionPresence process = process("a");
        process.prepare();
        process.begin();
        for (int i = 0; i < 5_000; i++) {
            process.stored(spread(i));
        }
        process.end();
        BlockChain hundred = chain(100);
        BlockChain thousands = chain(5_000);

        long forHundred = leastAllocatedBy(() -> process.candidates(hundred, 0));
        long forThousands = leastAllocatedBy(() -> process.candidates(thousands, 0));

        assertThat(forThousands - forHundred)
                .as("less than a byte for each block more; the JIT may remove a constant part of one of the two")
                .isLessThan(4_900);
    }

    /** The least of many runs: one run may load classes, or leave compiled code, and allocates for that. */
    private static long leastAllocatedBy(Runnable work) {
        return LongStream.generate(() -> allocatedBy(work)).limit(50).min().orElseThrow();
    }

    private static long allocatedBy(Runnable work) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static BlockChain chain(int length) {
        ByteBuffer hashes = ByteBuffer.allocate(length * BlockHash.BYTES);
        for (int i = 0; i < length; i++) {
            new BlockHash(spread(i), i, i, i).putTo(hashes);
        }
        return BlockChain.ofHashes(ROOT, ByteString.copyFrom(hashes.flip()));
    }

    @Test
    void anIdlePartitionCostsNothing() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, 1);
        writer.beat(false);
        advance(OwnLog.IDLE);
        writer.beat(false);
        double before = calls();

        for (int i = 0; i < 10; i++) {
            advance(BEAT);
            writer.beat(false);
        }

        assertThat(writer.isOpen()).isFalse();
        assertThat(calls()).isEqualTo(before);
    }

    @Test
    void whatWasStoredBeforePresenceIsFoundByAListing() throws Exception {
        block(spread(7));
        describe();

        PartitionPresence process = process("a");

        assertThat(process.prepare()).isTrue(); // the listing ran at once
        assertThat(process.mightContain(spread(7))).isTrue();
        assertThat(process.mightContain(spread(8))).isFalse();
    }

    @Test
    void whatADeadProcessStoredButDidNotTellIsFoundByItsSuccessor() throws Exception {
        PartitionPresence dead = process("a");
        store(dead, 1);

        PartitionPresence successor = process("a");

        assertThat(successor.prepare()).isTrue();
        assertThat(successor.mightContain(1)).isTrue();
        assertThat(logs()).isEmpty();
    }

    @Test
    void whatADeadProcessStoredButDidNotTellIsFoundByAnyOtherAfterAWhile() throws Exception {
        PartitionPresence dead = process("a");
        store(dead, 1);
        PartitionPresence other = process("b");
        other.prepare();
        assertThat(other.mightContain(1)).isFalse();

        advance(OthersLogs.DEAD);
        other.prepare();

        assertThat(other.mightContain(1)).isTrue();
    }

    @Test
    void aProcessTakenForDeadTellsInAnotherLogWhatItDidNotTellBefore() throws Exception {
        PartitionPresence stalled = process("a");
        store(stalled, 1);
        PartitionPresence other = process("b");
        other.prepare();
        advance(OthersLogs.DEAD);
        other.prepare();
        store(stalled, 2);

        stalled.beat(false);
        advance(PartitionPresence.STALE);
        other.prepare();

        assertThat(other.mightContain(1)).isTrue();
        assertThat(other.mightContain(2)).isTrue();
    }

    @Test
    void aProcessThatMayBeTakenForDeadTellsOfABlockBeforeItIsAcknowledged() throws Exception {
        PartitionPresence stalled = process("a");
        store(stalled, 1);
        PartitionPresence other = process("b");
        other.prepare();
        advance(OthersLogs.DEAD);
        other.prepare(); // lists
        store(stalled, 2); // and dies

        advance(PartitionPresence.STALE);
        other.prepare();

        assertThat(other.mightContain(2)).isTrue();
    }

    @Test
    void aDamagedSnapshotIsMadeAnew() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, 1);
        writer.beat(true);
        Files.write(file("snapshot"), new byte[] {1, 2, 3});

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(1)).isTrue();
    }

    @Test
    void aSnapshotThatLostAPartIsMadeAnew() throws Exception {
        mergedPartition();
        Files.delete(part());

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(spread(0))).isTrue();
    }

    @Test
    void aSnapshotWithADamagedPartIsMadeAnew() throws Exception {
        mergedPartition();
        byte[] bytes = Files.readAllBytes(part());
        bytes[40] ^= 1;
        Files.write(part(), bytes);

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(spread(0))).isTrue();
    }

    @Test
    void aSnapshotOfBloomFiltersIsMadeAnew() throws Exception {
        mergedPartition();
        Files.write(file("snapshot"), empty(1));

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(spread(0))).isTrue();
        assertThat(process.mightContain(spread(1000))).isFalse();
    }

    @Test
    void aSnapshotOfTheFutureIsLeftAloneAndDeniesNothing() throws Exception {
        mergedPartition();
        Files.write(file("snapshot"), empty(3));

        PartitionPresence process = process("b");

        assertThat(process.prepare()).isFalse();
        assertThat(Files.readAllBytes(file("snapshot"))).isEqualTo(empty(3));
    }

    @Test
    void aSnapshotThatIsGoneIsNoticedAndMadeAnew() throws Exception {
        mergedPartition();
        PartitionPresence process = process("b");
        process.prepare();
        Files.delete(file("snapshot"));
        advance(PartitionPresence.STALE);

        assertThat(process.prepare()).isTrue();

        assertThat(file("snapshot")).exists();
        assertThat(process.mightContain(spread(0))).isTrue();
        assertThat(process.mightContain(spread(1000))).isFalse();
    }

    private void mergedPartition() throws Exception {
        for (int i = 0; i <= PartitionPresence.MERGE_LOGS; i++) {
            PartitionPresence writer = process("n" + i);
            store(writer, spread(i));
            writer.beat(true);
        }
    }

    /** A snapshot that says that there is nothing. */
    private static byte[] empty(int version) {
        ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("KVPS".getBytes(StandardCharsets.US_ASCII))
                .putInt(version)
                .putLong(1)
                .putInt(0);
        return Sealed.seal(bytes).array();
    }

    private Path part() throws IOException {
        return BlobFiles.file(
                directory, store.list(FOLDER + "parts/", null, 5000).names().getFirst());
    }

    @Test
    void aDamagedLogIsMadeUpForByAListing() throws Exception {
        PartitionPresence writer = process("a");
        store(writer, 1);
        writer.beat(true);
        Files.write(file(logs().getFirst()), new byte[100]);

        PartitionPresence process = process("b");
        assertThat(process.prepare()).isFalse();
        advance(OthersLogs.DEAD);

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(1)).isTrue();
    }

    @Test
    void aBlockThatIsGoneIsBelievedNoMoreUntilItIsStoredAgain() throws Exception {
        PartitionPresence process = process("a");
        store(process, 1);

        process.missing(1, process.asked());
        assertThat(process.mightContain(1)).isFalse();

        store(process, 1);
        assertThat(process.mightContain(1)).isTrue();
    }

    @Test
    void aBlockThatWasGoneIsBelievedAgainOnceAnotherSnapshotHasIt() throws Exception {
        PartitionPresence process = process("a");
        store(process, spread(0));
        process.beat(true);
        Files.delete(BlobFiles.file(directory, blob(spread(0))));
        process.missing(spread(0), process.asked());
        assertThat(process.mightContain(spread(0))).isFalse();

        mergedPartition(); // where others store it again, tell, and merge what they told
        advance(PartitionPresence.STALE);

        assertThat(process.prepare()).isTrue();
        assertThat(process.mightContain(spread(0))).isTrue();
    }

    @Test
    void manyBlocksThatAreGoneMakeTheFiltersAnew() throws Exception {
        PartitionPresence process = process("a");
        for (int i = 0; i < 100; i++) {
            store(process, spread(i));
        }
        process.beat(true);
        for (int i = 0; i < 80; i++) {
            Files.delete(BlobFiles.file(directory, blob(spread(i))));
            process.missing(spread(i), process.asked());
        }

        PartitionPresence other = process("b");
        other.prepare();

        assertThat(other.mightContain(spread(0))).isFalse();
        assertThat(other.mightContain(spread(90))).isTrue();
    }

    @Test
    void whoObservesBelievesWhatWasToldAndWritesNothing() throws Exception {
        PartitionPresence dead = process("a");
        store(dead, 1);
        dead.beat(false);
        store(dead, 2);
        advance(OthersLogs.DEAD);
        double writes = writes();

        PartitionPresence observer = process("a", true);

        assertThat(observer.prepare()).isTrue();
        assertThat(observer.mightContain(1)).isTrue();
        assertThat(observer.mightContain(2)).as("nobody was told of it").isFalse();
        for (int i = 0; i < 1_000; i++) {
            observer.missing(i, observer.asked());
        }
        assertThat(writes()).isEqualTo(writes);
    }

    @Test
    void aBlockThatNoLogCouldSayIsToldByItsNextWriter() throws Exception {
        AtomicBoolean away = new AtomicBoolean();
        PartitionPresence process = process("a", whileNot(away));
        process.begin();
        process.begin();
        describe();
        process.beat(true);
        block(1);
        away.set(true);
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> process.stored(1));
        away.set(false);

        assertThat(process.wasStored(1)).isTrue();

        PartitionPresence other = process("b");
        assertThat(other.prepare()).isTrue();
        assertThat(other.mightContain(1)).isTrue();
    }

    @Test
    void aBlockThatWasSeenBeforeAnythingWasLearntIsBelievedAfterwards() throws Exception {
        PartitionPresence first = process("a");
        store(first, 1);
        first.beat(true);
        PartitionPresence process = process("b");
        block(2);
        process.seen(2);

        assertThat(process.prepare()).isTrue();

        assertThat(process.mightContain(2)).isTrue();
    }

    /** The same storage, which fails while it is away. */
    private BlockStore whileNot(AtomicBoolean away) {
        return new HookedStore(store)
                .before((operation, _) -> {
                    if (away.get()) {
                        throw new StorageException(StorageException.Kind.UNAVAILABLE, operation, null);
                    }
                })
                .store();
    }

    private double writes() {
        return meters.find("kvstore.storage.calls").counters().stream()
                .filter(counter -> !Objects.requireNonNull(counter.getId().getTag("operation"))
                        .matches("get.*|list|exists"))
                .mapToDouble(Counter::count)
                .sum();
    }

    private PartitionPresence process(String node) {
        return process(node, false);
    }

    private PartitionPresence process(String node, boolean observing) {
        return process(node, observing, store);
    }

    private PartitionPresence process(String node, BlockStore storage) {
        return process(node, false, storage);
    }

    private PartitionPresence process(String node, boolean observing, BlockStore storage) {
        return new PartitionPresence(
                new PresenceFiles(storage, pool, ROOT),
                Identity.of(node, random),
                observing,
                clock::get,
                random,
                Runnable::run,
                PresenceMeters.in(meters));
    }

    /** As a data plane does. */
    private void store(PartitionPresence process, long key) throws Exception {
        process.begin();
        try {
            describe();
            block(key);
            process.stored(key);
        } finally {
            process.end();
        }
    }

    private void block(long key) throws IOException {
        store.putIfAbsent(blob(key), ByteBuffer.wrap(new byte[] {1}));
    }

    private static String blob(long key) {
        String hex = new BlockHash(key, 0, 0, 0).hex();
        return "kv/v1/" + ROOT.hex() + "/" + hex.substring(0, 2) + "/" + hex;
    }

    private void describe() throws IOException {
        store.putIfAbsent("kv/v1/" + ROOT.hex() + "/partition.json", ByteBuffer.wrap(new byte[] {1}));
    }

    private void advance(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    private Path file(String name) {
        return BlobFiles.file(directory, FOLDER + name);
    }

    private List<String> logs() throws IOException {
        return store.list(FOLDER, null, 5000).names().stream()
                .map(name -> name.substring(FOLDER.length()))
                .filter(name -> !SnapshotFiles.owns(name))
                .toList();
    }

    private double calls() {
        return meters.find("kvstore.storage.calls").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }
}
