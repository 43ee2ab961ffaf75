package dev.kvstore.dataplane.presence.snapshot;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.MortalStore;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Snapshots as they lie in storage, and what becomes of them there. */
final class SnapshotFilesTest {
    private static final String FOLDER = "presence/";

    private final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
    private final MemoryStore store = new MemoryStore();
    private final SplittableRandom random = new SplittableRandom(1);
    private final SnapshotFiles files = files(store);

    private SnapshotFiles files(BlockStore by) {
        return new SnapshotFiles(by, pool, FOLDER, random);
    }

    @AfterEach
    @AfterTry
    void everythingIsGivenBack() {
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void thereIsNoneAtFirst() throws Exception {
        assertThat(files.read()).isNull();
        assertThat(files.etag()).isNull();
    }

    @Test
    void theFirstIsOfNothing() throws Exception {
        files.found(7);

        Snapshot read = read();

        assertThat(read.epoch()).isEqualTo(7);
        assertThat(read.size()).isZero();
        assertThat(read.mightContain(0)).isFalse();
    }

    @Property(tries = 100)
    void hasAllThatWasEverMergedIntoIt(@ForAll @IntRange(min = 1, max = 40) int merges, @ForAll long seed)
            throws Exception {
        SplittableRandom keys = new SplittableRandom(seed);
        files.found(7);
        List<long[]> all = new ArrayList<>();
        SnapshotVersion<Snapshot> known = requireNonNull(files.read());

        for (int i = 0; i < merges; i++) {
            all.add(keys.longs(1 + keys.nextInt(300)).toArray());
            known = requireNonNull(files.merge(known, all.getLast()));
        }

        Snapshot read = read();
        long[] union = all.stream().flatMapToLong(Arrays::stream).distinct().toArray();
        assertThat(Arrays.stream(union)).allMatch(read::mightContain).allMatch(known.content()::mightContain);
        assertThat(read.size()).isEqualTo(union.length);
        // Another key has a stored key's fingerprint now and then.
        assertThat(keys.longs(1000).filter(read::mightContain).count()).isLessThan(3);
        assertThat(parts()).hasSize(read.parts());
        store.lose(FOLDER + "snapshot");
    }

    @Test
    void whatIsMergedTwiceIsThereOnce() throws Exception {
        long[] keys = random.longs(1000).toArray();
        files.found(7);

        files.merge(requireNonNull(files.merge(version(), keys)), keys);

        assertThat(read().size()).isEqualTo(1000);
    }

    @Test
    void whatIsPutIsItsOwnAlsoIfEachPutIsAskedTwice() throws Exception {
        SnapshotFiles asked = files(new HookedStore(store).asksTwice(_ -> true).store());
        asked.found(7);

        SnapshotVersion<Snapshot> merged =
                requireNonNull(asked.merge(version(), random.longs(1000).toArray()));

        assertThat(merged.etag()).isEqualTo(files.etag());
        assertThat(parts()).hasSize(merged.content().parts());
    }

    @Test
    void anothersSnapshotIsNotTakenForItsOwnIfAPutIsAskedTwice() throws Exception {
        files.found(7);
        SnapshotVersion<Snapshot> before = version();
        files.merge(before, new long[] {1});
        SnapshotFiles asked = files(new HookedStore(store).asksTwice(_ -> true).store());

        assertThat(asked.merge(before, new long[] {2})).isNull();
        assertThat(read().mightContain(1)).isTrue();
    }

    @Test
    void partsThatAreArchivedGoWithTheSnapshotThatNamedThem() throws Exception {
        files.found(7);
        files.merge(version(), random.longs(1000).toArray());
        List<String> before = parts();
        before.forEach(store::archive);

        files.put(files.etag(), 8, keys -> keys.visit(1));

        assertThat(before).isNotEmpty();
        assertThat(parts()).hasSize(1).doesNotContainAnyElementsOf(before);
    }

    @Test
    void growsByFewRuns() throws Exception {
        files.found(7);
        SnapshotVersion<Snapshot> known = version();

        for (int i = 0; i < 1000; i++) {
            known = requireNonNull(files.merge(known, random.longs(100).toArray()));
            assertThat(known.content().runs()).hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void aLargeRunIsCutIntoParts() throws Exception {
        int size = Fingerprints.MAX_SIZE + 1000;
        long[] keys = random.longs(size).sorted().toArray();
        long[] unsigned = LongStream.concat(
                        Arrays.stream(keys).filter(k -> k >= 0),
                        Arrays.stream(keys).filter(k -> k < 0))
                .toArray();

        files.put(null, 7, visitor -> {
            for (long key : unsigned) {
                visitor.visit(key);
            }
        });

        Snapshot read = read();
        assertThat(read.parts()).isEqualTo(2);
        assertThat(read.runs()).hasSize(1);
        assertThat(Arrays.stream(keys)).allMatch(read::mightContain);
        assertThat(askedTogether(read, keys)).isEqualTo(size);
        assertThat(random.longs(100_000).filter(read::mightContain).count()).isLessThan(20); // 3 are to be expected
    }

    private static long askedTogether(Snapshot snapshot, long[] keys) {
        KeyBatch questions = new KeyBatch();
        long found = 0;
        for (int from = 0; from < keys.length; from += KeyBatch.MAX) {
            questions.clear();
            Arrays.stream(keys, from, Math.min(keys.length, from + KeyBatch.MAX))
                    .forEach(questions::add);
            found += Long.bitCount(snapshot.mightContain(questions));
        }
        return found;
    }

    @Property(tries = 100)
    void manyQuestionsHaveTheSameAnswersAsOne(@ForAll @IntRange(min = 1, max = 64) int count, @ForAll long seed)
            throws Exception {
        SplittableRandom keys = new SplittableRandom(seed);
        long[] some = keys.longs(5000).toArray();
        files.found(7);
        files.merge(
                requireNonNull(files.merge(version(), some)), keys.longs(100).toArray());
        Snapshot snapshot = read();
        KeyBatch questions = new KeyBatch();
        long expected = 0;
        for (int i = 0; i < count; i++) {
            long key = keys.nextBoolean() ? some[keys.nextInt(some.length)] : keys.nextLong();
            questions.add(key);
            expected |= snapshot.mightContain(key) ? 1L << i : 0;
        }

        assertThat(snapshot.mightContain(questions)).isEqualTo(expected);
        store.lose(FOLDER + "snapshot");
    }

    @Property(tries = 500)
    void aFlippedBitIsNoticed(@ForAll @IntRange(max = 100_000) int position, @ForAll @IntRange(max = 7) int bit)
            throws Exception {
        files.put(null, 7, visitor -> visitor.visit(random.nextLong(Long.MAX_VALUE)));
        for (String blob : List.of(FOLDER + "snapshot", parts().getFirst())) {
            flip(blob, position, bit);
            String etag = files.etag();

            assertThatExceptionOfType(UnreadableException.class)
                    .isThrownBy(() -> files.readUnless(null))
                    .matches(e -> !e.isNewer() && requireNonNull(e.etag()).equals(etag));
            flip(blob, position, bit);
            assertThat(files.read()).isNotNull();
        }
        store.lose(FOLDER + "snapshot");
        parts().forEach(store::lose);
    }

    private void flip(String name, int position, int bit) throws Exception {
        Blob blob = (Blob) requireNonNull(store.get(name, BlockStore.MAX_BLOB_BYTES, pool));
        ByteBuffer bytes = ByteBuffer.allocate(blob.memory().length())
                .put(blob.memory().bytes())
                .flip();
        blob.memory().release();
        int at = position % bytes.limit();
        store.putIfMatch(name, bytes.put(at, (byte) (bytes.get(at) ^ (1 << bit))), blob.etag());
    }

    @Test
    void aLostPartIsNoticed() throws Exception {
        files.put(null, 7, visitor -> visitor.visit(1));
        parts().forEach(store::lose);
        String etag = files.etag();

        assertThatExceptionOfType(UnreadableException.class)
                .isThrownBy(() -> files.readUnless(null))
                .matches(e -> requireNonNull(e.etag()).equals(etag));
    }

    @Test
    void aPartInPlaceOfAnotherIsNoticed() throws Exception {
        files.put(null, 7, visitor -> visitor.visit(1));
        String first = parts().getFirst();
        Blob other = (Blob) requireNonNull(store.get(first, BlockStore.MAX_BLOB_BYTES, pool));
        files.put(files.etag(), 8, visitor -> visitor.visit(2));
        String second = parts().getFirst();
        store.lose(second);
        store.putIfAbsent(second, other.memory().bytes());
        other.memory().release();

        assertThatExceptionOfType(UnreadableException.class).isThrownBy(() -> files.readUnless(null));
    }

    @Test
    void whoReadsPartsThatGoMeanwhileReadsThoseThatCame() throws Exception {
        files.put(null, 7, visitor -> visitor.visit(1));
        BlockStore overtaken = new OvertakenStore(store, () -> files.merge(version(), new long[] {-1})).store();

        Snapshot read = requireNonNull(files(overtaken).read()).content();

        assertThat(read.mightContain(1)).isTrue();
        assertThat(read.mightContain(-1)).isTrue();
    }

    @Test
    void ofTwoWhoMergeAtOnceOneComesTooLateAndLeavesNothing() throws Exception {
        files.put(null, 7, visitor -> visitor.visit(1));
        SnapshotVersion<Snapshot> known = version();
        assertThat(files.merge(known, new long[] {2})).isNotNull();

        assertThat(files.merge(known, new long[] {3})).isNull();
        files.merge(version(), new long[] {-1});

        assertThat(parts()).hasSize(read().parts());
        assertThat(read().mightContain(2)).isTrue();
        assertThat(read().mightContain(-1)).isTrue();
    }

    @Test
    void onlyPartsThatAreNewAreRead() throws Exception {
        long[] many = random.longs(10_000).toArray();
        files.put(null, 7, visitor -> {
            for (long fingerprint : Fingerprint.sorted(many)) {
                visitor.visit(fingerprint << (Long.SIZE - Fingerprint.BITS));
            }
        });
        SnapshotVersion<Snapshot> before = version();
        files.merge(before, new long[] {1});

        Snapshot read =
                ((Look.Other<Snapshot>) files.readUnless(before)).version().content();

        assertThat(read.runs().getFirst().parts())
                .isEqualTo(before.content().runs().getFirst().parts());
        assertThat(read.parts()).isEqualTo(2);
    }

    @Property(tries = 200)
    void whoeverDiesWheneverLeavesASnapshotThatHasAllAndNoPartsForLong(
            @ForAll long seed, @ForAll @IntRange(max = 12) int calls) throws Exception {
        SplittableRandom keys = new SplittableRandom(seed);
        long[] before = keys.longs(500).toArray();
        files.found(7);
        files.merge(requireNonNull(files.merge(version(), before)), new long[] {1});
        MortalStore mortal = new MortalStore(store, keys);
        mortal.dieAfter(calls);
        try {
            SnapshotFiles dying = files(mortal.store());
            SnapshotVersion<Snapshot> known = dying.read();
            dying.merge(requireNonNull(known), keys.longs(400).toArray());
        } catch (StorageException e) {
            assertThat(mortal.isDead()).isTrue();
        }

        Snapshot left = read();
        assertThat(Arrays.stream(before)).allMatch(left::mightContain);
        assertThat(left.mightContain(1)).isTrue();
        assertThat(left.size()).isIn(501L, 901L);
        files.merge(version(), new long[] {2});
        assertThat(parts()).hasSize(read().parts());
        store.lose(FOLDER + "snapshot");
        parts().forEach(store::lose);
    }

    private SnapshotVersion<Snapshot> version() throws StorageException {
        try {
            return requireNonNull(files.read());
        } catch (UnreadableException | MemoryExhaustedException e) {
            throw new AssertionError(e);
        }
    }

    private Snapshot read() throws StorageException {
        return version().content();
    }

    private List<String> parts() {
        return store.list(FOLDER + "parts/", null, 5000).names();
    }
}
