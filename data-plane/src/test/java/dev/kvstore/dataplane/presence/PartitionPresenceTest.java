package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.metrics.PresenceMetrics;
import dev.kvstore.dataplane.presence.log.Log;
import dev.kvstore.dataplane.presence.log.OthersLogs;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.storage.BlobFiles;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.Counter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The processes of a partition know the blocks that each of them stored. */
final class PartitionPresenceTest extends PresenceSetup {
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
        assertThat(reader.isLogged(spread(keys))).isFalse();
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
        for (int i = 0; i <= PartitionLearner.MERGE_LOGS; i++) {
            PartitionPresence writer = process("n" + i);
            store(writer, i);
            writer.beat(true);
        }

        assertThat(logs()).hasSizeLessThan(3);
        PartitionPresence reader = process("b");
        assertThat(reader.prepare()).isTrue();
        for (int i = 0; i <= PartitionLearner.MERGE_LOGS; i++) {
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

        assertThat(writer.needsBeats()).isFalse();
        assertThat(calls()).isEqualTo(before);
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

    @ParameterizedTest
    @EnumSource(names = {"FORBIDDEN", "HELD"})
    void logsThatNobodyMayDeleteAreMadeUpForOnce(StorageException.Kind kind) throws Exception {
        BlockStore held = new HookedStore(store)
                .before((operation, name) -> {
                    if (operation.equals("deleteIfMatch") && name.startsWith(FOLDER)) {
                        throw new StorageException(kind, "a legal hold keeps it", null);
                    }
                })
                .store();
        PartitionPresence dead = process("a");
        store(dead, 1);
        String damaged = FOLDER + "b.0123456789abcdef.1";
        store.putIfAbsent(damaged, ByteBuffer.wrap(new byte[] {1}));
        PartitionPresence successor = process("a", held);
        successor.prepare();
        advance(OthersLogs.DEAD);

        for (int i = 0; i < 20; i++) {
            advance(Duration.ofMinutes(1));
            successor.prepare();
        }

        assertThat(successor.prepare()).as("trusted").isTrue();
        assertThat(successor.mightContain(1)).isTrue();
        assertThat(PresenceMetrics.REBUILDS.counter(meters).count()).isBetween(1.0, 2.0);
        assertThat(store.exists(damaged)).isTrue();
    }

    @Test
    void aSnapshotThatStorageHoldsIsNotMadeAnewEachTimeItIsAskedFor() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        BlockStore held = new HookedStore(store)
                .before((operation, name) -> {
                    if (operation.equals("putIfMatch") && name.equals(FOLDER + "snapshot")) {
                        tries.incrementAndGet();
                        throw StorageException.held(name, "refuses to replace or delete blobs");
                    }
                })
                .store();
        store(process("a"), 1);
        PartitionPresence successor = process("a", held);

        for (int i = 0; i < 9; i++) {
            successor.prepare();
            advance(Duration.ofMinutes(1));
        }
        assertThat(tries).hasValue(1);
        advance(PartitionLearner.REFUSED);
        successor.prepare();
        assertThat(tries).as("after a while").hasValue(2);
    }

    @Test
    void whatADeadProcessStoredButDidNotTellIsFoundByAnyOtherAfterAWhile() throws Exception {
        PartitionPresence dead = process("a");
        store(dead, 1);
        PartitionPresence other = process("b");
        other.prepare();
        assertThat(other.isLogged(1)).isFalse();

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
        return BlockChain.ofHashes(ROOT, List.of(hashes.flip()));
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

    private double calls() {
        return meters.find("kvstore.storage.calls").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }
}
