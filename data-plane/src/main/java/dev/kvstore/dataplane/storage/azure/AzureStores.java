package dev.kvstore.dataplane.storage.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.metrics.StorageMetrics;
import dev.kvstore.dataplane.rate.AdaptiveThrottle;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores on Azure that share connections and tokens. All retrying is the SDK's, within these bounds, and every
 * single HTTP request is counted. Thread-safe.
 */
public final class AzureStores implements AutoCloseable {
    /** Tries of a request in all: one passing failure and its repetition, and then the caller decides. */
    static final int TRIES = 3;

    /** Seconds for a try: the largest block of 64 MiB at 20 Mbit/s. */
    static final int TRY_SECONDS = 30;

    // The pause before the second try, a quarter of that before the third. Azure's own default waits 4 s, an age for
    // inference.
    private static final long RETRY_DELAY_MILLIS = 200;
    private static final long MOST_RETRY_DELAY_MILLIS = 2_000;

    private final Transport transport;
    private final HttpClient http;
    private final List<HttpPipelinePolicy> policies;
    private final Counter withheld;
    private final Map<String, TokenCredential> identities = new ConcurrentHashMap<>();

    public AzureStores(Outbound outbound, MeterRegistry registry) {
        this(outbound, registry, List.of());
    }

    /** Stores on Azure with policies that see every single HTTP request, too. */
    AzureStores(Outbound outbound, MeterRegistry registry, List<HttpPipelinePolicy> policies) {
        this(outbound.transport(), HttpClients.open(outbound, registry), registry, policies);
    }

    /** Stores on Azure over a client of the transport's kind, which is closed with this. */
    AzureStores(Transport transport, HttpClient http, MeterRegistry registry, List<HttpPipelinePolicy> policies) {
        this.transport = transport;
        this.http = http;
        Counter requests = StorageMetrics.REQUESTS.counter(registry);
        this.withheld = StorageMetrics.WITHHELD_REQUESTS.counter(registry);
        HttpPipelinePolicy count = (_, next) -> {
            requests.increment();
            return next.process();
        };
        this.policies = Stream.concat(Stream.of(count), policies.stream()).toList();
    }

    /**
     * The store of a container. Asks the service nothing, unless the container is to be created.
     *
     * @throws StorageException of kind {@code FORBIDDEN} if the credential is malformed
     */
    public AzureStore open(AzureContainer container) throws StorageException {
        BlobServiceAsyncClient service = service(container);
        BlobContainerAsyncClient client = service.getBlobContainerAsyncClient(container.name());
        if (container.createIfMissing()) {
            AzureFailures.await("container " + container.name(), client.createIfNotExists());
        }
        return new AzureStore(
                client, transport, new Links(service, container.credential(), InstantSource.system(), Links.PATIENCE));
    }

    /** Secrets, read over the same connections by the identity that {@code ManagedIdentity} stands for. */
    public KeyVault keyVault() {
        return new KeyVault(http, identity(null));
    }

    private BlobServiceAsyncClient service(AzureContainer container) throws StorageException {
        String flaw = MalformedCredential.reason(container.credential());
        if (flaw != null) {
            throw StorageException.forbidden("container " + container.name(), flaw);
        }
        BlobServiceClientBuilder builder = new BlobServiceClientBuilder();
        try {
            switch (container.credential()) {
                case StorageCredential.ManagedIdentity(String clientId) -> builder.credential(identity(clientId));
                case StorageCredential.SharedAccessSignature(String token) -> builder.sasToken(token);
                case StorageCredential.ConnectionString(String value) -> builder.connectionString(value);
            }
            builder.addPolicy(new ThrottledAccount(
                    new AdaptiveThrottle(
                            Ticker.systemTicker(),
                            () -> ThreadLocalRandom.current().nextDouble()),
                    withheld));
            builder.addPolicy(new LostAnswers());
            builder.addPolicy(new ForeignAnswers());
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
                    .buildAsyncClient();
        } catch (IllegalArgumentException | IllegalStateException e) {
            // The SDK's message may quote the credential.
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

    /** Closes all connections. */
    @Override
    public void close() {
        if (http instanceof AzureHttp ours) {
            ours.close();
        }
    }
}
