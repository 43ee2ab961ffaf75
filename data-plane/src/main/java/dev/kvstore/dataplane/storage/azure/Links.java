package dev.kvstore.dataplane.storage.azure;

import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.models.UserDelegationKey;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.common.sas.SasProtocol;
import dev.kvstore.dataplane.storage.BlobLink;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Links to blobs of one account: shared access signatures for one blob each, to read it, for {@link #GOOD}. An identity
 * asks the service for a key to sign them with, an account's key signs them by itself; a signature cannot. Thread-safe.
 */
final class Links {
    /** How long a link is good: enough for the longest blob, with clocks that differ by a minute. */
    static final Duration GOOD = Duration.ofMinutes(5);

    private static final Duration KEY_GOOD = Duration.ofHours(1);

    /** The wait for a key that another call asks for. An answer takes far less; all tries without one take longer. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final BlobServiceAsyncClient service;
    private final StorageCredential credential;
    private final InstantSource clock;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable UserDelegationKey key;
    private Instant keyEnds = Instant.MIN;

    /** @param patience how long a call waits for another one that asks for a key */
    Links(BlobServiceAsyncClient service, StorageCredential credential, InstantSource clock, Duration patience) {
        this.service = service;
        this.credential = credential;
        this.clock = clock;
        this.patience = patience;
    }

    /** A link to a blob; null if this process's credential signs none. */
    @Nullable
    BlobLink to(BlobAsyncClient blob) throws StorageException {
        String signature = switch (credential) {
            case StorageCredential.SharedAccessSignature _ -> null;
            case StorageCredential.ConnectionString(String value) ->
                value.contains("AccountKey=") ? blob.generateSas(permission(blob)) : null;
            case StorageCredential.ManagedIdentity _ -> blob.generateUserDelegationSas(permission(blob), key());
        };
        return signature == null ? null : new BlobLink(URI.create(blob.getBlobUrl() + "?" + signature));
    }

    private BlobServiceSasSignatureValues permission(BlobAsyncClient blob) {
        boolean plain = blob.getBlobUrl().startsWith("http:");
        return new BlobServiceSasSignatureValues(
                        time(clock.instant().plus(GOOD)), new BlobSasPermission().setReadPermission(true))
                .setProtocol(plain ? SasProtocol.HTTPS_HTTP : SasProtocol.HTTPS_ONLY);
    }

    private UserDelegationKey key() throws StorageException {
        if (!isTurn()) {
            throw new StorageException(
                    Kind.UNAVAILABLE, "key to sign with: another call has asked for it for " + patience, null);
        }
        try {
            Instant now = clock.instant();
            UserDelegationKey known = key;
            if (known == null || now.plus(GOOD).isAfter(keyEnds)) {
                Instant end = now.plus(KEY_GOOD);
                known = Objects.requireNonNull(AzureFailures.await(
                        "key to sign with", service.getUserDelegationKey(time(now.minus(GOOD)), time(end))));
                key = known;
                keyEnds = end;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it is this call's turn to ask for a key; it holds the lock then. */
    private boolean isTurn() {
        try {
            return lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
