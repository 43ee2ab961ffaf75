package dev.kvstore.dataplane.storage.azure;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobStorageException;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Says what a failure of the SDK means to a caller. */
final class AzureFailures {
    private static final Set<BlobErrorCode> LOCKS = Set.of(
            BlobErrorCode.LEASE_ID_MISSING,
            BlobErrorCode.SNAPSHOTS_PRESENT,
            BlobErrorCode.fromString("BlobImmutableDueToPolicy"));

    // All tries and the pauses between them: the SDK should have given up before.
    private static final Duration PATIENCE = Duration.ofSeconds(AzureStores.TRIES * AzureStores.TRY_SECONDS + 10L);

    private AzureFailures() {}

    /** Waits for an answer; null if there is none. */
    static <T> @Nullable T await(String subject, Mono<T> call) throws StorageException {
        try {
            return call.block(PATIENCE);
        } catch (RuntimeException e) {
            throw of(subject, e);
        }
    }

    /** Whether this says that there is no such blob. */
    static boolean isAbsent(Throwable failure) {
        return has(BlobErrorCode.BLOB_NOT_FOUND, failure);
    }

    /** Whether this says that the condition of the request did not hold. */
    static boolean isRefusal(Throwable failure) {
        return isTaken(failure) || isAbsent(failure);
    }

    /** Whether this says that there is a blob of that name, or another one. */
    static boolean isTaken(Throwable failure) {
        return has(BlobErrorCode.BLOB_ALREADY_EXISTS, failure) || has(BlobErrorCode.CONDITION_NOT_MET, failure);
    }

    /** Whether this says that the blob still is the one with that ETag. */
    static boolean isUnchanged(Throwable failure) {
        return failure instanceof BlobStorageException answer && answer.getStatusCode() == 304;
    }

    /** Whether this says that a blob has nothing at that offset. */
    static boolean isBehindTheEnd(Throwable failure) {
        return has(BlobErrorCode.INVALID_RANGE, failure);
    }

    private static boolean has(BlobErrorCode code, Throwable failure) {
        return failure instanceof BlobStorageException answer && code.equals(answer.getErrorCode());
    }

    /**
     * The storage exception for a failure. An answer can be anything, since a proxy or a portal may give it. So an
     * exception of the SDK about an answer that it does not understand is a failure of the storage too.
     */
    static StorageException of(String subject, RuntimeException failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case BlobStorageException answer -> {
                    return ofAnswer(subject, answer);
                }
                case ThrottledAccount.WithheldException withheld -> {
                    return new StorageException(Kind.THROTTLED, subject + ": " + withheld.getMessage(), null);
                }
                case ClientAuthenticationException refusal -> {
                    return new StorageException(
                            Kind.FORBIDDEN, subject + ": no token for this process's identity", refusal);
                }
                case IOException e -> {
                    return unavailable(subject, e);
                }
                case TimeoutException e -> {
                    return unavailable(subject, e);
                }
                case InterruptedException e -> {
                    Thread.currentThread().interrupt();
                    return unavailable(subject, e);
                }
                default -> {}
            }
        }
        // Without the failure itself: its text may quote the request, and a credential in it.
        return new StorageException(
                Kind.UNAVAILABLE,
                subject + ": answered, but not as Azure Storage does ("
                        + failure.getClass().getSimpleName() + "); is a proxy in between?",
                null);
    }

    private static StorageException unavailable(String subject, Exception cause) {
        return new StorageException(Kind.UNAVAILABLE, subject + ": no answer: " + cause, cause);
    }

    /** Whether somebody has a lease on the blob, or a policy or a snapshot keeps it: that does not pass by itself. */
    private static boolean isLocked(BlobStorageException answer) {
        return LOCKS.contains(answer.getErrorCode());
    }

    // Without the answer itself: its text may quote the string that was signed with the credential.
    private static StorageException ofAnswer(String subject, BlobStorageException answer) {
        int status = answer.getStatusCode();
        Kind kind = switch (status) {
            case 401, 403 -> Kind.FORBIDDEN;
            case 409, 412 -> isLocked(answer) ? Kind.FORBIDDEN : Kind.UNAVAILABLE;
            case 404 -> Kind.MISSING;
            case 429, 503 -> Kind.THROTTLED;
            default -> Kind.UNAVAILABLE;
        };
        return new StorageException(kind, subject + ": answered " + status + " " + answer.getErrorCode(), null);
    }
}
