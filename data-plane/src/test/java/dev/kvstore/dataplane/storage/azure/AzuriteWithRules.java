package dev.kvstore.dataplane.storage.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.blob.models.AccessTier;
import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.testing.SharedAzurite;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A container of Azurite, and stores on it. A test archives blobs there, and says which requests are refused on their
 * way as Azure would refuse them; Azurite knows no policies. Thread-safe.
 */
public final class AzuriteWithRules implements AutoCloseable {
    /** Of a request. */
    @FunctionalInterface
    public interface RequestRule {
        RequestRule NONE = (_, _, _) -> null;

        /** As a legal hold does: blobs may be made, and neither replaced nor deleted. */
        RequestRule LEGAL_HOLD = (method, name, replacing) ->
                method.equals("DELETE") || replacing ? new RequestRefusal(409, "BlobImmutableDueToPolicy") : null;

        /**
         * How the request is refused; null if it is not.
         *
         * @param name of the blob
         * @param replacing whether it puts a blob in the place of another
         */
        @Nullable
        RequestRefusal of(String method, String name, boolean replacing);
    }

    public record RequestRefusal(int status, String code) {}

    private final String container = SharedAzurite.newContainerName();
    private final StorageCredential credential =
            new StorageCredential.ConnectionString(SharedAzurite.connectionString());
    private final AzureStores stores;
    private volatile RequestRule rule = RequestRule.NONE;

    public AzuriteWithRules() {
        HttpPipelinePolicy rules = (context, next) -> {
            RequestRefusal refusal = refusal(context.getHttpRequest());
            return refusal == null
                    ? next.process()
                    : Mono.just(StubResponse.ofCode(context.getHttpRequest(), refusal.status(), refusal.code()));
        };
        stores = new AzureStores(Outbound.DEFAULT, new SimpleMeterRegistry(), List.of(rules));
    }

    private @Nullable RequestRefusal refusal(HttpRequest request) {
        String path = URLDecoder.decode(request.getUrl().getPath(), StandardCharsets.UTF_8);
        int name = path.indexOf(container) + container.length() + 1;
        return name >= path.length()
                ? null
                : rule.of(
                        request.getHttpMethod().toString(),
                        path.substring(name),
                        request.getHttpMethod().toString().equals("PUT")
                                && request.getHeaders().getValue(HttpHeaderName.IF_MATCH) != null);
    }

    /** From now on, this and nothing else is refused. */
    public void refuse(RequestRule next) {
        rule = next;
    }

    /** A store on the container, which is made if it is not there. */
    public BlockStore open() throws StorageException {
        return stores.open(new AzureContainer(SharedAzurite.endpoint(), container, credential, true));
    }

    /** Where the container is, for a data plane. */
    public StorageLocation location() {
        return new StorageLocation.Azure(
                SharedAzurite.endpoint(), container, new CredentialReference.EnvironmentVariable("TEST"), true);
    }

    /** Archives a blob, as a rule of lifecycle management does. */
    public void archive(String name) {
        blob(name).setAccessTier(AccessTier.ARCHIVE);
    }

    /** Puts a blob as another program would. */
    public void replace(String name, ByteBuffer content) {
        blob(name).upload(BinaryData.fromByteBuffer(content), true);
    }

    /** Changes the last byte of a blob, as another program might. */
    public void damage(String name) {
        byte[] content = blob(name).downloadContent().toBytes();
        content[content.length - 1] ^= 1;
        replace(name, ByteBuffer.wrap(content));
    }

    private BlobClient blob(String name) {
        return new BlobContainerClientBuilder()
                .connectionString(SharedAzurite.connectionString())
                .containerName(container)
                .buildClient()
                .getBlobClient(name);
    }

    @Override
    public void close() {
        stores.close();
    }
}
