package dev.kvstore.dataplane.storage.azure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.ArchivedBlob;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlobChange;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Listed;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.dataplane.storage.azure.AzuriteWithRules.RequestRefusal;
import dev.kvstore.dataplane.storage.azure.AzuriteWithRules.RequestRule;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blobs that Azure neither shows nor overwrites. Azurite archives blobs; that Azure says so before it looks at
 * conditions is emulated, and not verified.
 */
@Tag("slow")
final class ArchivedBlobsTest {
    private static final String NAME = "kv/v1/0a/block";
    private static final ByteBuffer CONTENT = StoredContents.random(1, 1000);
    private static final ByteBuffer OTHER = StoredContents.random(2, 2000);

    private final MemoryPool memory = new MemoryPool(1 << 20, Duration.ZERO);
    private final AzuriteWithRules azurite = new AzuriteWithRules();
    private BlockStore store;
    private String etag;

    @BeforeEach
    void put() throws Exception {
        store = azurite.open();
        etag = ((PutResult.Stored) store.putIfAbsent(NAME, CONTENT)).etag();
    }

    @AfterEach
    void close() {
        azurite.close();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void anArchivedBlobIsGotAsOneThatHasAnEtagAlone() throws Exception {
        azurite.archive(NAME);

        assertThat(store.get(NAME, BlockStore.MAX_BLOB_BYTES, memory)).isEqualTo(new ArchivedBlob(etag));
        assertThat(store.getRange(NAME, 0, 10, memory)).isNull();
    }

    @Test
    void anArchivedBlobDoesNotExistForReaders() throws Exception {
        azurite.archive(NAME);

        assertThat(store.exists(NAME)).isFalse();
    }

    @Test
    void aListingTellsThatABlobIsArchived() throws Exception {
        var _ = store.putIfAbsent(NAME + "2", CONTENT);
        azurite.archive(NAME);

        assertThat(store.list("kv/", null, 10).blobs())
                .extracting(Listed::archived)
                .containsExactly(true, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "BlobArchived", "BlobBeingRehydrated"})
    void aKnownBlobThatWasArchivedIsUnchanged(String code) throws Exception {
        azurite.archive(NAME);
        refuse("GET", code);

        assertThat(store.getIfChanged(NAME, etag, BlockStore.MAX_BLOB_BYTES, memory))
                .isEqualTo(new BlobChange.Unchanged());
        assertThat(store.getIfChanged(NAME, "\"1\"", BlockStore.MAX_BLOB_BYTES, memory))
                .isEqualTo(new BlobChange.Changed(new ArchivedBlob(etag)));
    }

    @Test
    void anArchivedBlobIsReplacedByItsEtag() throws Exception {
        azurite.archive(NAME);

        assertThat(store.putIfMatch(NAME, OTHER, "\"1\"")).isEqualTo(new PutResult.ConditionFailed());
        assertThat(store.putIfMatch(NAME, OTHER, etag)).isInstanceOf(PutResult.Stored.class);
        assertHolds(OTHER);
    }

    @Test
    void anAppendBlobUnderAFilesNameIsReplacedByItsEtag() throws Exception {
        azurite.refuse((method, _, replacing) ->
                method.equals("PUT") && replacing ? new RequestRefusal(409, "InvalidBlobType") : null);

        assertThat(store.putIfMatch(NAME, OTHER, etag)).isInstanceOf(PutResult.Stored.class);
        assertHolds(OTHER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"BlobArchived", "BlobBeingRehydrated", "InvalidBlobType", "BlobImmutableDueToPolicy"})
    void aPutThatIsRefusedForTheBlobInItsWayIsNoFailure(String code) throws Exception {
        refuse("PUT", code);

        assertThat(store.putIfAbsent(NAME, OTHER)).isEqualTo(new PutResult.ConditionFailed());
    }

    @Test
    void aPutThatIsRefusedAlthoughNoBlobIsInItsWayFails() throws Exception {
        refuse("PUT", "BlobImmutableDueToPolicy");

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> store.putIfAbsent("kv/v1/0a/other", OTHER))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.HELD));
    }

    @Test
    void anArchivedBlobThatAPolicyKeepsIsHeld() throws Exception {
        azurite.archive(NAME);
        azurite.refuse(
                (method, _, _) -> method.equals("DELETE") ? new RequestRefusal(409, "BlobImmutableDueToPolicy") : null);

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> store.putIfMatch(NAME, OTHER, etag))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.HELD))
                .satisfies(e -> assertThat(e.remedy()).contains("BlobImmutableDueToPolicy", "legal hold"));
        azurite.refuse(RequestRule.NONE);
        assertThat(store.get(NAME, BlockStore.MAX_BLOB_BYTES, memory)).isEqualTo(new ArchivedBlob(etag));
    }

    private void refuse(String refused, String code) {
        azurite.refuse(
                (method, _, _) -> method.equals(refused) && !code.isEmpty() ? new RequestRefusal(409, code) : null);
    }

    private void assertHolds(ByteBuffer content) throws Exception {
        Blob blob = (Blob) requireNonNull(store.get(NAME, BlockStore.MAX_BLOB_BYTES, memory));
        assertThat(blob.memory().bytes()).isEqualTo(content);
        blob.memory().release();
    }
}
