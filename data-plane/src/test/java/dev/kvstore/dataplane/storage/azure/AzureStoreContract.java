package dev.kvstore.dataplane.storage.azure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlobChange;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.BlockStoreContract;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.testing.SharedAzurite;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The promises of the backend beyond {@link BlockStoreContract}, whichever client carries it. */
abstract class AzureStoreContract extends BlockStoreContract {
    private static final String NAME = "kv/v1/0a/block";
    private static final StorageCredential CREDENTIAL =
            new StorageCredential.ConnectionString(SharedAzurite.connectionString());

    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final HttpPipelinePolicy recorder = (context, next) -> {
        requests.add(context.getHttpRequest().getHttpMethod().toString());
        return next.process();
    };
    private String container = "not-opened-yet";
    private final AzureStores stores;

    AzureStoreContract(Transport transport) {
        stores = new AzureStores(Outbound.DEFAULT.over(transport), new SimpleMeterRegistry(), List.of(recorder));
    }

    @AfterEach
    void closeConnections() {
        stores.close();
    }

    @Override
    protected BlockStore newStore() throws Exception {
        container = SharedAzurite.newContainerName();
        return stores.open(new AzureContainer(SharedAzurite.endpoint(), container, CREDENTIAL, true));
    }

    @Override
    protected void putBehindTheStore(String name, int length) {
        new BlobContainerClientBuilder()
                .connectionString(SharedAzurite.connectionString())
                .containerName(container)
                .buildClient()
                .getBlobClient(name)
                .upload(BinaryData.fromBytes(new byte[length]), true);
    }

    @Test
    void costsOneRequestPerCall() throws Exception {
        requests.clear();
        String etag = put(NAME, StoredContents.random(1, (64 << 20) + 100_000));
        assertThat(requests).as("put of the largest block").containsExactly("PUT");

        requests.clear();
        Blob blob = get(NAME);
        blob.memory().release();
        assertThat(requests).as("get").containsExactly("GET");

        requests.clear();
        requireNonNull(store.getRange(NAME, 4096, 100_000, memory)).memory().release();
        assertThat(requests).as("getRange").containsExactly("GET");

        requests.clear();
        assertThat(store.getIfChanged(NAME, etag, BlockStore.MAX_BLOB_BYTES, memory))
                .isEqualTo(new BlobChange.Unchanged());
        assertThat(requests).as("getIfChanged").containsExactly("GET");

        requests.clear();
        assertThat(store.exists(NAME)).isTrue();
        assertThat(requests).as("exists").containsExactly("HEAD");

        requests.clear();
        assertThat(store.putIfAbsent(NAME, StoredContents.random(1, 10))).isEqualTo(new PutResult.ConditionFailed());
        assertThat(requests).as("refused put").containsExactly("PUT");

        requests.clear();
        assertThat(store.list("kv/", null, 10).names()).containsExactly(NAME);
        assertThat(requests).as("list").containsExactly("GET");

        requests.clear();
        assertThat(store.deleteIfMatch(NAME, etag)).isTrue();
        assertThat(requests).as("delete").containsExactly("DELETE");

        requests.clear();
        assertThat(store.exists(NAME)).isFalse();
        assertThat(store.get(NAME, BlockStore.MAX_BLOB_BYTES, memory)).isNull();
        assertThat(requests).as("misses").containsExactly("HEAD", "GET");
    }

    @Test
    void saysThatItsContainerIsMissing() throws Exception {
        store = stores.open(new AzureContainer(SharedAzurite.endpoint(), "not-there", CREDENTIAL));

        List<ThrowingCallable> calls = List.of(
                () -> store.get(NAME, BlockStore.MAX_BLOB_BYTES, memory),
                () -> store.getRange(NAME, 0, 1, memory),
                () -> store.getIfChanged(NAME, "\"1\"", BlockStore.MAX_BLOB_BYTES, memory),
                () -> store.exists(NAME),
                () -> store.putIfAbsent(NAME, StoredContents.random(1, 10)),
                () -> store.putIfMatch(NAME, StoredContents.random(1, 10), "\"1\""),
                () -> store.deleteIfMatch(NAME, "\"1\""),
                () -> store.list("", null, 10));

        assertThat(calls)
                .allSatisfy(call -> assertThatExceptionOfType(StorageException.class)
                        .isThrownBy(call)
                        .withMessageContaining("ContainerNotFound")
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.MISSING)));
    }

    @Test
    void getsInWithASharedAccessSignature() throws Exception {
        store = withSignature("?", OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));

        put(NAME, StoredContents.random(1, 10));
        assertThat(read(NAME)).isEqualTo(StoredContents.random(1, 10));
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> store.list("", null, 10))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.FORBIDDEN));
    }

    @Test
    void saysThatItsSharedAccessSignatureHasEnded() throws Exception {
        store = withSignature("", OffsetDateTime.parse("2020-01-02T03:04:05Z"));

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> store.get(NAME, BlockStore.MAX_BLOB_BYTES, memory))
                .withMessageContaining("its SAS token ended at 2020-01-02T03:04:05Z; make a new one")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.FORBIDDEN));
    }

    /** The store of a new container, by a signature that may read and create blobs. */
    private AzureStore withSignature(String before, OffsetDateTime end) throws StorageException {
        String container = SharedAzurite.newContainerName();
        stores.open(new AzureContainer(SharedAzurite.endpoint(), container, CREDENTIAL, true));
        String token = new BlobContainerClientBuilder()
                .connectionString(SharedAzurite.connectionString())
                .containerName(container)
                .buildClient()
                .generateSas(new BlobServiceSasSignatureValues(
                        end,
                        new BlobContainerSasPermission().setReadPermission(true).setCreatePermission(true)));
        return stores.open(new AzureContainer(
                SharedAzurite.endpoint(), container, new StorageCredential.SharedAccessSignature(before + token)));
    }

    @Test
    void saysThatItsKeyIsRefused() throws Exception {
        String key = "d3Jvbmcga2V5";
        StorageCredential wrong = new StorageCredential.ConnectionString(
                "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=" + key + ";");
        store = stores.open(new AzureContainer(SharedAzurite.endpoint(), "any", wrong));

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> store.get(NAME, BlockStore.MAX_BLOB_BYTES, memory))
                .withMessageContaining(NAME)
                .withMessageContaining("403 AuthorizationFailure")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.FORBIDDEN));
    }

    @Test
    void showsNoCredential() {
        assertThat(new AzureContainer(
                                URI.create("https://a.example"), "c", new StorageCredential.ConnectionString("s3cret"))
                        .toString())
                .doesNotContain("s3cret");
        StorageCredential signature = new StorageCredential.SharedAccessSignature("sig=s3cret");
        assertThat(signature.toString()).doesNotContain("s3cret");
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> stores.open(new AzureContainer(
                        URI.create("https://a.example"), "c", new StorageCredential.ConnectionString("s3cret"))))
                .withMessageContaining("ConnectionString is malformed")
                .withMessageNotContaining("s3cret")
                .withNoCause();
    }
}
