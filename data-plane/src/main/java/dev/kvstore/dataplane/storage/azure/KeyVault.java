package dev.kvstore.dataplane.storage.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpClient;
import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.security.keyvault.secrets.SecretAsyncClient;
import com.azure.security.keyvault.secrets.SecretClientBuilder;
import com.azure.security.keyvault.secrets.models.KeyVaultSecret;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Secrets in key vaults, read with the identity of this process, which may be able to read more than the admin who
 * names a secret should have. So a secret counts only if its tag {@link #TAG} has the name of the account it is for;
 * only the log tells whether another secret is not there, may not be read, or is somebody else's. Thread-safe.
 */
public final class KeyVault {
    /** The tag of a secret that says which account it is for. */
    public static final String TAG = "kvstore-resource";

    private static final Logger LOG = System.getLogger(KeyVault.class.getName());

    /** The time for all tries together; calls of the account wait for it. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int RETRIES = 2;
    private static final Duration RETRY_DELAY = Duration.ofMillis(200);
    private static final Duration MOST_RETRY_DELAY = Duration.ofSeconds(1);

    /** How long a vault is not asked again for a secret that it did not give. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private record Wanted(URI secret, String resourceName) {}

    private final HttpClient http;
    private final TokenCredential identity;
    private final Cache<Wanted, StorageException> failed = Caffeine.newBuilder()
            .expireAfterWrite(PAUSE)
            .maximumSize(10_000)
            .executor(Runnable::run)
            .build();

    KeyVault(HttpClient http, TokenCredential identity) {
        this.http = http;
        this.identity = identity;
    }

    /**
     * The value of a secret.
     *
     * @param secret {@code https://VAULT/secrets/NAME}, or with {@code /VERSION}
     * @param resourceName the account it must be for
     * @throws StorageException of kind {@code FORBIDDEN} if there is none for that account
     */
    public String read(URI secret, String resourceName) throws StorageException {
        Wanted wanted = new Wanted(secret, resourceName);
        StorageException before = failed.getIfPresent(wanted);
        if (before != null) {
            throw before;
        }
        try {
            return value(secret, resourceName);
        } catch (StorageException e) {
            failed.put(wanted, e);
            throw e;
        }
    }

    private String value(URI secret, String resourceName) throws StorageException {
        KeyVaultSecret found;
        try {
            found = get(secret);
        } catch (RuntimeException e) {
            throw failure(secret, resourceName, e);
        }
        if (found == null || found.getValue() == null) {
            throw refused(secret, resourceName, "it has no value");
        }
        var tags = found.getProperties().getTags();
        if (tags == null || !resourceName.equals(tags.get(TAG))) {
            throw refused(secret, resourceName, "its tag " + TAG + " does not say so");
        }
        return found.getValue().strip();
    }

    private @Nullable KeyVaultSecret get(URI secret) {
        String[] path = secret.getPath().split("/", -1);
        SecretAsyncClient client = new SecretClientBuilder()
                .vaultUrl("https://" + secret.getAuthority())
                .credential(identity)
                .httpClient(http)
                .retryOptions(new RetryOptions(new ExponentialBackoffOptions()
                        .setMaxRetries(RETRIES)
                        .setBaseDelay(RETRY_DELAY)
                        .setMaxDelay(MOST_RETRY_DELAY)))
                .buildAsyncClient();
        // The path begins with a '/', then "secrets".
        return (path.length > 3 ? client.getSecret(path[2], path[3]) : client.getSecret(path[2])).block(PATIENCE);
    }

    /** The exception for a failure, without the answer itself: nobody knows what it quotes. */
    private static StorageException failure(URI secret, String resourceName, RuntimeException failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof HttpResponseException answer) {
                int status =
                        answer.getResponse() == null ? 0 : answer.getResponse().getStatusCode();
                return switch (status) {
                    case 0 -> new StorageException(Kind.FORBIDDEN, "no token for this process's identity", null);
                    case 400, 401, 403, 404 -> refused(secret, resourceName, "the vault answered " + status);
                    case 429 -> new StorageException(Kind.THROTTLED, secret.getHost() + " answered 429", null);
                    default -> unavailable(secret, "answered " + status);
                };
            }
            if (cause instanceof IOException || cause instanceof TimeoutException) {
                return unavailable(secret, "did not answer: " + cause);
            }
        }
        // An example is a vault that wants a token for something else than a vault.
        return refused(secret, resourceName, "it could not be asked for: " + failure);
    }

    private static StorageException unavailable(URI secret, String why) {
        return new StorageException(Kind.UNAVAILABLE, "key vault " + secret.getHost() + " " + why, null);
    }

    private static StorageException refused(URI secret, String resourceName, String why) {
        LOG.log(Level.INFO, "{0} is no credential for {1}: {2}", secret, resourceName, why);
        return new StorageException(
                Kind.FORBIDDEN,
                "there is no secret " + secret + " that this data plane may read and whose tag " + TAG + " is "
                        + resourceName,
                null);
    }
}
