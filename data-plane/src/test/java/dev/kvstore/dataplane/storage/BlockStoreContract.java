package dev.kvstore.dataplane.storage;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of {@link BlockStore}, whatever is behind it. */
public abstract class BlockStoreContract {
    private static final String NAME = "kv/v1/0a/block";

    /** Room for the largest block once; what a test takes must be back when it ends. */
    protected final MemoryPool memory = new MemoryPool(80L << 20, Duration.ZERO);

    protected BlockStore store;

    /** An empty store. */
    protected abstract BlockStore newStore() throws Exception;

    /** Makes a blob of zeros in the storage of {@link #store} as another program would, replacing what is there. */
    protected abstract void putBehindTheStore(String name, int length) throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = newStore();
    }

    @AfterEach
    void givesAllMemoryBack() {
        store.close();
        assertThat(memory.usedBytes()).as("bytes of memory not given back").isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 512, 1_200_000, 16 << 20, (64 << 20) + 4096})
    void returnsABlobAsItWasPut(int length) throws Exception {
        ByteBuffer content = StoredContents.random(length, length);

        String etag = put(NAME, content);

        Blob blob = get(NAME);
        assertThat(blob.etag()).isEqualTo(etag);
        assertThat(blob.memory().bytes()).isEqualTo(content);
        assertThat(blob.memory().bytes().isDirect()).isTrue();
        blob.memory().release();
    }

    @Test
    void storesTheRemainingBytesAndLeavesThePositionAlone() throws Exception {
        ByteBuffer content = StoredContents.random(1, 5000).position(1000).limit(4000);

        put(NAME, content);

        assertThat(content.position()).isEqualTo(1000);
        assertThat(content.limit()).isEqualTo(4000);
        assertThat(read(NAME)).isEqualTo(StoredContents.random(1, 5000).slice(1000, 3000));
    }

    @Test
    void getsNothingWhereNothingIs() throws Exception {
        assertThat(store.get(NAME, BlockStore.MAX_BLOB_BYTES, memory)).isNull();
    }

    @Test
    void doesNotTakeAFolderForABlob() throws Exception {
        put("a/b", StoredContents.random(1, 10));

        assertThat(store.get("a", BlockStore.MAX_BLOB_BYTES, memory)).isNull();
        assertThat(store.exists("a")).isFalse();
        assertThat(store.get("a/b/c", BlockStore.MAX_BLOB_BYTES, memory)).isNull();
    }

    @Test
    void holdsABlobBesideOthersThatItsNameBegins() throws Exception {
        put("a", StoredContents.random(1, 10));
        put("a/b", StoredContents.random(2, 10));

        assertThat(read("a")).isEqualTo(StoredContents.random(1, 10));
        assertThat(read("a/b")).isEqualTo(StoredContents.random(2, 10));
    }

    @Test
    void saysWhenThereIsNoMemoryForABlob() throws Exception {
        put(NAME, StoredContents.random(1, 2000));

        assertThatExceptionOfType(MemoryExhaustedException.class)
                .isThrownBy(() -> store.get(NAME, BlockStore.MAX_BLOB_BYTES, new MemoryPool(1999, Duration.ZERO)));
        assertThat(read(NAME)).isEqualTo(StoredContents.random(1, 2000));
    }

    @Test
    void getsARange() throws Exception {
        String etag = put(NAME, StoredContents.random(1, 100_000));

        Blob blob = requireNonNull(store.getRange(NAME, 4096, 50_000, memory));

        assertThat(blob.memory().bytes())
                .isEqualTo(StoredContents.random(1, 100_000).slice(4096, 50_000));
        assertThat(blob.etag()).isEqualTo(etag);
        assertThat(blob.length()).isEqualTo(100_000);
        blob.memory().release();
    }

    @Test
    void getsTheRestOfABlobThatEndsInsideARange() throws Exception {
        put(NAME, StoredContents.random(1, 1000));

        Blob blob = requireNonNull(store.getRange(NAME, 900, 4096, memory));

        assertThat(blob.memory().bytes())
                .isEqualTo(StoredContents.random(1, 1000).slice(900, 100));
        assertThat(blob.length()).isEqualTo(1000);
        blob.memory().release();
    }

    @Test
    void getsNoRangeBehindTheEnd() throws Exception {
        put(NAME, StoredContents.random(1, 1000));

        assertThat(store.getRange(NAME, 1000, 1, memory)).isNull();
        assertThat(store.getRange(NAME, 1L << 40, 1, memory)).isNull();
    }

    @Test
    void getsNoRangeOfWhatIsNotThere() throws Exception {
        assertThat(store.getRange(NAME, 0, 10, memory)).isNull();
    }

    @Test
    void rejectsARangeThatIsNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.getRange(NAME, -1, 10, memory));
        assertThatIllegalArgumentException().isThrownBy(() -> store.getRange(NAME, 0, 0, memory));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.getRange(NAME, 0, BlockStore.MAX_BLOB_BYTES + 1, memory));
    }

    @Test
    void tellsWhatBecameOfABlob() throws Exception {
        String first = put(NAME, StoredContents.random(1, 1000));
        assertThat(store.getIfChanged(NAME, first, BlockStore.MAX_BLOB_BYTES, memory))
                .isEqualTo(new BlobChange.Unchanged());

        store.putIfMatch(NAME, StoredContents.random(2, 1000), first);
        BlobChange.Changed changed =
                (BlobChange.Changed) store.getIfChanged(NAME, first, BlockStore.MAX_BLOB_BYTES, memory);
        Blob second = (Blob) changed.got();
        assertThat(second.memory().bytes()).isEqualTo(StoredContents.random(2, 1000));
        second.memory().release();

        store.deleteIfMatch(NAME, second.etag());
        assertThat(store.getIfChanged(NAME, first, BlockStore.MAX_BLOB_BYTES, memory))
                .isEqualTo(new BlobChange.BlobGone());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, BlockStore.MAX_BLOB_BYTES + 1})
    void tellsTheLengthOfABlobThatNoStorePutWithoutReadingIt(int length) throws Exception {
        putBehindTheStore(NAME, length);

        WrongSizeBlob got = (WrongSizeBlob)
                requireNonNull(store.get(NAME, BlockStore.MAX_BLOB_BYTES, new MemoryPool(1, Duration.ZERO)));
        assertThat(got.length()).isEqualTo(length);
        assertThat(store.getIfChanged(NAME, "\"1\"", BlockStore.MAX_BLOB_BYTES, new MemoryPool(1, Duration.ZERO)))
                .isEqualTo(new BlobChange.Changed(got));
        assertThat(store.getIfChanged(NAME, got.etag(), BlockStore.MAX_BLOB_BYTES, memory))
                .isEqualTo(new BlobChange.Unchanged());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, BlockStore.MAX_BLOB_BYTES + 1})
    void aBlobThatNoStorePutDoesNotExistForReaders(int length) throws Exception {
        putBehindTheStore(NAME, length);

        assertThat(store.exists(NAME)).isFalse();
    }

    @Test
    void takesNoMemoryForABlobThatIsLongerThanItsReaderTakes() throws Exception {
        String etag = put(NAME, StoredContents.random(1, 1001));
        MemoryPool none = new MemoryPool(1, Duration.ZERO);

        assertThat(store.get(NAME, 1000, none)).isEqualTo(new WrongSizeBlob(etag, 1001));
        assertThat(store.getIfChanged(NAME, "\"1\"", 1000, none))
                .isEqualTo(new BlobChange.Changed(new WrongSizeBlob(etag, 1001)));
        Blob whole = (Blob) requireNonNull(store.get(NAME, 1001, memory));
        assertThat(whole.memory().bytes()).isEqualTo(StoredContents.random(1, 1001));
        whole.memory().release();
    }

    @Test
    void rejectsAReaderWhoTakesNothingOrTooMuch() {
        for (int most : new int[] {0, -1, BlockStore.MAX_BLOB_BYTES + 1}) {
            assertThatIllegalArgumentException().isThrownBy(() -> store.get(NAME, most, memory));
            assertThatIllegalArgumentException().isThrownBy(() -> store.getIfChanged(NAME, "\"1\"", most, memory));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, BlockStore.MAX_BLOB_BYTES + 1})
    void replacesABlobThatNoStorePut(int length) throws Exception {
        putBehindTheStore(NAME, length);
        assertThat(store.putIfAbsent(NAME, StoredContents.random(1, 1000))).isEqualTo(new PutResult.ConditionFailed());

        assertThat(store.deleteIfMatch(
                        NAME,
                        requireNonNull(store.get(NAME, BlockStore.MAX_BLOB_BYTES, memory))
                                .etag()))
                .isTrue();

        put(NAME, StoredContents.random(1, 1000));
        assertThat(read(NAME)).isEqualTo(StoredContents.random(1, 1000));
    }

    @Test
    void getsNoRangeOfAnEmptyBlob() throws Exception {
        putBehindTheStore(NAME, 0);

        assertThat(store.getRange(NAME, 0, 4096, memory)).isNull();
    }

    @Test
    void getsARangeOfABlobOfAnyLength() throws Exception {
        putBehindTheStore(NAME, BlockStore.MAX_BLOB_BYTES + 1);

        Blob blob = requireNonNull(store.getRange(NAME, 0, 4096, memory));

        assertThat(blob.length()).isEqualTo(BlockStore.MAX_BLOB_BYTES + 1L);
        assertThat(blob.memory().length()).isEqualTo(4096);
        blob.memory().release();
    }

    @Test
    void refusesToPutWhereABlobIs() throws Exception {
        put(NAME, StoredContents.random(1, 1000));

        assertThat(store.putIfAbsent(NAME, StoredContents.random(2, 1000))).isEqualTo(new PutResult.ConditionFailed());
        assertThat(read(NAME)).isEqualTo(StoredContents.random(1, 1000));
    }

    @Test
    void rejectsABlobOfNoBytesOrTooMany() {
        ByteBuffer tooLong = ByteBuffer.allocateDirect(BlockStore.MAX_BLOB_BYTES + 1);
        assertThatIllegalArgumentException().isThrownBy(() -> store.putIfAbsent(NAME, tooLong));
        assertThatIllegalArgumentException().isThrownBy(() -> store.putIfAbsent(NAME, ByteBuffer.allocate(0)));
        assertThatIllegalArgumentException().isThrownBy(() -> store.putIfMatch(NAME, ByteBuffer.allocate(0), "\"1\""));
    }

    @Test
    void letsOneOfManyPutABlob() throws Exception {
        List<PutResult> puts =
                StoredContents.together(16, i -> store.putIfAbsent(NAME, StoredContents.random(i, 300_000)));

        assertThat(puts).filteredOn(PutResult.Stored.class::isInstance).hasSize(1);
        int winner = puts.indexOf(puts.stream()
                .filter(PutResult.Stored.class::isInstance)
                .findFirst()
                .orElseThrow());
        assertThat(read(NAME)).isEqualTo(StoredContents.random(winner, 300_000));
    }

    @Test
    void replacesABlobThatIsStillTheOneSeen() throws Exception {
        String first = put(NAME, StoredContents.random(1, 1000));

        PutResult.Stored second = (PutResult.Stored) store.putIfMatch(NAME, StoredContents.random(2, 500), first);

        assertThat(second.etag()).isNotEqualTo(first);
        assertThat(read(NAME)).isEqualTo(StoredContents.random(2, 500));
    }

    @Test
    void givesEachContentAnEtagOfItsOwn() throws Exception {
        List<String> etags = new ArrayList<>(List.of(put(NAME, StoredContents.random(0, 100))));
        for (int i = 1; i <= 20; i++) {
            etags.add(
                    ((PutResult.Stored) store.putIfMatch(NAME, StoredContents.random(i, 100), etags.getLast())).etag());
        }

        assertThat(etags).doesNotHaveDuplicates();
    }

    @Test
    void refusesToReplaceABlobThatChanged() throws Exception {
        String first = put(NAME, StoredContents.random(1, 1000));
        store.putIfMatch(NAME, StoredContents.random(2, 1000), first);

        assertThat(store.putIfMatch(NAME, StoredContents.random(3, 1000), first))
                .isEqualTo(new PutResult.ConditionFailed());
        assertThat(read(NAME)).isEqualTo(StoredContents.random(2, 1000));
    }

    @Test
    void refusesToReplaceABlobThatIsGone() throws Exception {
        String etag = put(NAME, StoredContents.random(1, 1000));
        store.deleteIfMatch(NAME, etag);

        assertThat(store.putIfMatch(NAME, StoredContents.random(2, 1000), etag))
                .isEqualTo(new PutResult.ConditionFailed());
        assertThat(store.exists(NAME)).isFalse();
    }

    @Test
    void letsOneOfManyReplaceABlob() throws Exception {
        String first = put(NAME, StoredContents.random(99, 1000));

        List<PutResult> puts =
                StoredContents.together(16, i -> store.putIfMatch(NAME, StoredContents.random(i, 50_000), first));

        assertThat(puts).filteredOn(PutResult.Stored.class::isInstance).hasSize(1);
        int winner = puts.indexOf(puts.stream()
                .filter(PutResult.Stored.class::isInstance)
                .findFirst()
                .orElseThrow());
        assertThat(read(NAME)).isEqualTo(StoredContents.random(winner, 50_000));
    }

    @Test
    void knowsWhetherABlobExists() throws Exception {
        assertThat(store.exists(NAME)).isFalse();
        String etag = put(NAME, StoredContents.random(1, 10));
        assertThat(store.exists(NAME)).isTrue();
        store.deleteIfMatch(NAME, etag);
        assertThat(store.exists(NAME)).isFalse();
    }

    @Test
    void deletesABlobOnce() throws Exception {
        String etag = put(NAME, StoredContents.random(1, 10));

        List<Boolean> deleted = StoredContents.together(8, _ -> store.deleteIfMatch(NAME, etag));

        assertThat(deleted).containsOnlyOnce(true);
    }

    @Test
    void doesNotDeleteABlobThatChanged() throws Exception {
        String first = put(NAME, StoredContents.random(1, 10));
        store.putIfMatch(NAME, StoredContents.random(2, 10), first);

        assertThat(store.deleteIfMatch(NAME, first)).isFalse();
        assertThat(store.exists(NAME)).isTrue();
    }

    @Test
    void takesABlobAgainAfterItWasDeleted() throws Exception {
        String first = put(NAME, StoredContents.random(1, 10));
        store.deleteIfMatch(NAME, first);

        assertThat(put(NAME, StoredContents.random(2, 10))).isNotEqualTo(first);
        assertThat(read(NAME)).isEqualTo(StoredContents.random(2, 10));
    }

    @Test
    void listsNamesInOrderPageByPage() throws Exception {
        List<String> names =
                IntStream.range(0, 25).mapToObj("kv/%02d/block"::formatted).toList();
        for (String name : names.reversed()) {
            put(name, StoredContents.random(1, 1));
        }
        List<BlobPage> pages = pages("", 10);

        assertThat(pages).hasSize(3);
        assertThat(pages.stream().flatMap(page -> page.names().stream())).isEqualTo(names);
    }

    @Test
    void listsFoldersAndBlobsInTheOrderOfTheirNames() throws Exception {
        List<String> names = List.of("a", "a-b", "a.b", "a/-", "a/b", "a/b/c", "a0", "a_", "b");
        for (String name : names.reversed()) {
            put(name, StoredContents.random(1, 1));
        }

        assertThat(pages("", 2).stream().flatMap(page -> page.names().stream())).isEqualTo(names);
    }

    @Test
    void listsOnlyNamesThatBeginWithThePrefix() throws Exception {
        for (String name : List.of("k/aa/1", "k/ab/2", "k/ab/3", "k/b/4", "l/ab/5")) {
            put(name, StoredContents.random(1, 1));
        }

        assertThat(store.list("k/a", null, 100).names()).containsExactly("k/aa/1", "k/ab/2", "k/ab/3");
        assertThat(store.list("k/a", null, 100).next()).isNull();
        assertThat(store.list("k/ab/", null, 100).names()).containsExactly("k/ab/2", "k/ab/3");
        assertThat(store.list("x/", null, 100)).isEqualTo(new BlobPage(List.of(), null));
    }

    /** Other programs call blobs as they like, and what is listed is logged, and asked for. */
    @Test
    void listsNoNameThatNoStoreGives() throws Exception {
        put("k/a", StoredContents.random(1, 1));
        putBehindTheStore("k/Not a name", 1);
        putBehindTheStore("k/" + "a".repeat(201) + "/b", 1);
        putBehindTheStore("k/z", 1);

        assertThat(pages("k/", 1).stream().flatMap(page -> page.names().stream()))
                .containsExactly("k/a", "k/z");
    }

    @Test
    void tellsOfAListedBlobHowLongItIsAndWhenItWasPut() throws Exception {
        Instant before = Instant.now().minus(Duration.ofMinutes(1));
        put(NAME, StoredContents.random(1, 12_345));

        assertThat(store.list("", null, 10).blobs()).singleElement().satisfies(blob -> {
            assertThat(blob.name()).isEqualTo(NAME);
            assertThat(blob.length()).isEqualTo(12_345);
            assertThat(blob.modified()).isBetween(before, before.plus(Duration.ofMinutes(2)));
        });
    }

    @Test
    void rejectsAPageOfNoNamesOrTooMany() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.list("", null, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> store.list("", null, 5001));
    }

    @Test
    void copiesABlobOfAnotherStore() throws Exception {
        try (BlockStore other = newStore()) {
            other.putIfAbsent(NAME, StoredContents.random(1, 100_000));

            assertThat(store.copyFrom(other, NAME, memory)).isInstanceOf(PutResult.Stored.class);
            assertThat(store.copyFrom(other, NAME, memory)).isEqualTo(new PutResult.ConditionFailed());
        }
        assertThat(read(NAME)).isEqualTo(StoredContents.random(1, 100_000));
    }

    @Test
    void cannotCopyABlobThatNoStorePut() throws Exception {
        putBehindTheStore(NAME, 0);

        try (BlockStore other = newStore()) {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> other.copyFrom(store, NAME, memory))
                    .withMessageContaining(NAME + " is damaged: it has 0 bytes")
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.MISSING));
        }
    }

    @Test
    void cannotCopyWhatIsNotThere() throws Exception {
        try (BlockStore other = newStore()) {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> store.copyFrom(other, NAME, memory))
                    .withMessageContaining(NAME)
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.MISSING));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "../a", "a/.", "A", "a b", "a\\b", "a%2f", "é"
            })
    void rejectsABadNameEverywhere(String name) {
        ByteBuffer content = StoredContents.random(1, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> store.get(name, BlockStore.MAX_BLOB_BYTES, memory));
        assertThatIllegalArgumentException().isThrownBy(() -> store.getRange(name, 0, 1, memory));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.getIfChanged(name, "\"1\"", BlockStore.MAX_BLOB_BYTES, memory));
        assertThatIllegalArgumentException().isThrownBy(() -> store.putIfAbsent(name, content));
        assertThatIllegalArgumentException().isThrownBy(() -> store.putIfMatch(name, content, "\"1\""));
        assertThatIllegalArgumentException().isThrownBy(() -> store.exists(name));
        assertThatIllegalArgumentException().isThrownBy(() -> store.deleteIfMatch(name, "\"1\""));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 512, 4096, 4097, 1_200_000, 16 << 20})
    void returnsABlobAsItWasPutFromMemory(int length) throws Exception {
        ByteBuffer content = StoredContents.random(length, length);

        String etag = putFromMemory(NAME, content);

        Blob blob = get(NAME);
        assertThat(blob.etag()).isEqualTo(etag);
        assertThat(blob.memory().bytes()).isEqualTo(content);
        blob.memory().release();
    }

    @Test
    void refusesToPutFromMemoryWhereABlobIs() throws Exception {
        put(NAME, StoredContents.random(1, 1000));

        BlockMemory other = memory.allocate(1000);
        assertThat(store.putIfAbsent(NAME, other)).isEqualTo(new PutResult.ConditionFailed());
        other.release();
        assertThat(read(NAME)).isEqualTo(StoredContents.random(1, 1000));
    }

    @Test
    void takesTheLongestName() throws Exception {
        String name = "a".repeat(200) + "/" + "b".repeat(200) + "/" + "c".repeat(110);

        put(name, StoredContents.random(1, 10));

        assertThat(name).hasSize(BlobName.MAX_LENGTH);
        assertThat(store.list("a", null, 10).names()).containsExactly(name);
    }

    protected final String put(String name, ByteBuffer content) throws Exception {
        return ((PutResult.Stored) store.putIfAbsent(name, content)).etag();
    }

    private String putFromMemory(String name, ByteBuffer content) throws Exception {
        BlockMemory lent = memory.allocate(content.remaining());
        try {
            lent.bytes().put(content.duplicate());
            return ((PutResult.Stored) store.putIfAbsent(name, lent)).etag();
        } finally {
            lent.release();
        }
    }

    protected final Blob get(String name) throws Exception {
        return (Blob) requireNonNull(store.get(name, BlockStore.MAX_BLOB_BYTES, memory));
    }

    /** A blob's content, on the heap. */
    protected final ByteBuffer read(String name) throws Exception {
        Blob blob = get(name);
        ByteBuffer copy = ByteBuffer.allocate(blob.memory().length())
                .put(blob.memory().bytes())
                .flip();
        blob.memory().release();
        return copy;
    }

    private List<BlobPage> pages(String prefix, int limit) throws Exception {
        List<BlobPage> pages = new ArrayList<>(List.of(store.list(prefix, null, limit)));
        while (pages.getLast().next() != null) {
            pages.add(store.list(prefix, pages.getLast().next(), limit));
        }
        return pages;
    }
}
