package dev.kvstore.dataplane.storage.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores on Azure that share connections and tokens. All retrying is the SDK's, within these bounds. Thread-safe.
 */
public final class AzureStores {
    // A connection within one round trip, or its SYN sent once again after 1 s and once more after 3 s.
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    // Silence on a connection, in either direction: far more than the service ever pauses.
    private static final Duration SILENCE = Duration.ofSeconds(20);

    /** Tries of a request in all: one passing failure and its repetition, and then the caller decides. */
    static final int TRIES = 3;

    /** Seconds for a try: the largest block of 64 MiB at 20 Mbit/s. */
    static final int TRY_SECONDS = 30;

    // Before the second try; four times that before the third. Azure's own default waits 4 s, an age for inference.
    private static final long RETRY_DELAY_MILLIS = 200;
    private static final long MOST_RETRY_DELAY_MILLIS = 2_000;

    private final HttpClient http;
    private final List<HttpPipelinePolicy> policies;
    private final Map<String, TokenCredential> identities = new ConcurrentHashMap<>();

    public AzureStores() {
        this(List.of());
    }

    /** Also with policies that see every single HTTP request. */
    AzureStores(List<HttpPipelinePolicy> policies) {
        this.policies = policies;
        // HTTP/1.1 is all the service speaks.
        this.http = new JdkHttpClientBuilder(
                        java.net.http.HttpClient.newBuilder().version(Version.HTTP_1_1))
                .connectionTimeout(CONNECT_TIMEOUT)
                .responseTimeout(Duration.ofSeconds(TRY_SECONDS))
                .writeTimeout(SILENCE)
                .readTimeout(SILENCE)
                .build();
    }

    /**
     * The store of a container. Asks the service nothing, unless the container is to be created.
     *
     * @throws StorageException of kind {@code FORBIDDEN} if the credential is malformed
     */
    public AzureStore open(AzureContainer container) throws StorageException {
        BlobContainerAsyncClient client = client(container);
        if (container.createIfMissing()) {
            AzureFailures.await("container " + container.name(), client.createIfNotExists());
        }
        return new AzureStore(client);
    }

    private BlobContainerAsyncClient client(AzureContainer container) throws StorageException {
        BlobServiceClientBuilder builder = new BlobServiceClientBuilder();
        try {
            switch (container.credential()) {
                case StorageCredential.ManagedIdentity(String clientId) -> builder.credential(identity(clientId));
                case StorageCredential.SharedAccessSignature(String token) -> builder.sasToken(token);
                case StorageCredential.ConnectionString(String value) -> builder.connectionString(value);
            }
            policies.forEach(builder::addPolicy);
            return builder.endpoint(container.endpoint().toString())
                    .httpClient(http)
                    .retryOptions(new RequestRetryOptions(
                            RetryPolicyType.EXPONENTIAL,
                            TRIES,
                            TRY_SECONDS,
                            RETRY_DELAY_MILLIS,
                            MOST_RETRY_DELAY_MILLIS,
                            null))
                    .buildAsyncClient()
                    .getBlobContainerAsyncClient(container.name());
        } catch (IllegalArgumentException | IllegalStateException e) {
            // What the SDK says may quote the credential.
            throw new StorageException(
                    Kind.FORBIDDEN,
                    "container " + container.name() + ": endpoint " + container.endpoint() + " or its "
                            + container.credential().getClass().getSimpleName() + " is malformed",
                    null);
        }
    }

    private TokenCredential identity(@Nullable String clientId) {
        return identities.computeIfAbsent(clientId == null ? "" : clientId, id -> {
            DefaultAzureCredentialBuilder builder = new DefaultAzureCredentialBuilder().httpClient(http);
            return id.isEmpty()
                    ? builder.build()
                    : builder.managedIdentityClientId(id)
                            .workloadIdentityClientId(id)
                            .build();
        });
    }
}
