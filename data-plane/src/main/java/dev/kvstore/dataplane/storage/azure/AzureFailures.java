package dev.kvstore.dataplane.storage.azure;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobStorageException;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Translates failures of the SDK into storage exceptions. */
final class AzureFailures {
    // All tries and the pauses between them take less: the SDK should have given up before.
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

    /** Whether a failure says that there is no such blob. */
    static boolean isAbsent(Throwable failure) {
        return has(BlobErrorCode.BLOB_NOT_FOUND, failure);
    }

    /** Whether a failure says that the condition of the request did not hold. */
    static boolean isRefusal(Throwable failure) {
        return isTaken(failure) || isAbsent(failure);
    }

    /** Whether a failure says that there is a blob of that name, or another one. */
    static boolean isTaken(Throwable failure) {
        return has(BlobErrorCode.BLOB_ALREADY_EXISTS, failure) || has(BlobErrorCode.CONDITION_NOT_MET, failure);
    }

    /** Whether a failure says that the blob still is the one with that ETag. */
    static boolean isUnchanged(Throwable failure) {
        return failure instanceof BlobStorageException answer && answer.getStatusCode() == 304;
    }

    /** Whether a failure says that a blob has nothing at that offset. */
    static boolean isBehindTheEnd(Throwable failure) {
        return has(BlobErrorCode.INVALID_RANGE, failure);
    }

    /** Whether a failure says that a blob is there, and cannot be read for being archived. */
    static boolean isArchived(Throwable failure) {
        return AzureErrorCodes.isArchived(code(failure));
    }

    /** Whether a failure says that a blob cannot be overwritten, and might be deleted. */
    static boolean isToDeleteFirst(Throwable failure) {
        return AzureErrorCodes.isToDeleteFirst(code(failure));
    }

    /**
     * Whether a failure says that a blob which must not be changed has the name; only a question tells that it is
     * there.
     */
    static boolean isInTheWay(Throwable failure) {
        return AzureErrorCodes.isInTheWay(code(failure));
    }

    private static boolean has(BlobErrorCode code, Throwable failure) {
        return code.equals(code(failure));
    }

    private static @Nullable BlobErrorCode code(Throwable failure) {
        return failure instanceof BlobStorageException answer ? answer.getErrorCode() : null;
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
                case UnsendableRequestException unsent -> {
                    return StorageException.forbidden(
                            subject, "with it, " + unsent.getMessage() + "; see to the endpoint and the credential");
                }
                case ForeignAnswers.ForeignAnswerException foreign -> {
                    return new StorageException(Kind.UNAVAILABLE, subject + ": " + foreign.getMessage(), null);
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
        // The failure itself is left out: its text may quote the request, and a credential in it.
        return new StorageException(
                Kind.UNAVAILABLE,
                subject + ": answered, but not as Azure Storage does ("
                        + failure.getClass().getSimpleName() + "); is a proxy in between?",
                null);
    }

    private static StorageException unavailable(String subject, Exception cause) {
        return new StorageException(Kind.UNAVAILABLE, subject + ": no answer: " + cause, cause);
    }

    // The answer itself is left out: its text may quote the string that was signed with the credential.
    private static StorageException ofAnswer(String subject, BlobStorageException answer) {
        int status = answer.getStatusCode();
        BlobErrorCode code = answer.getErrorCode();
        Kind kind = AzureErrorCodes.isDisabled(code) ? Kind.HELD : kind(status, code);
        String said = subject + ": answered " + status + " " + code;
        if (kind == Kind.HELD && code != null) {
            return StorageException.held(said, AzureErrorCodes.remedy(code));
        }
        String reason = kind == Kind.FORBIDDEN ? AzureRefusal.reason(answer.getResponse()) : null;
        return reason == null ? new StorageException(kind, said, null) : StorageException.forbidden(said, reason);
    }

    private static Kind kind(int status, @Nullable BlobErrorCode code) {
        return switch (status) {
            case 401, 403 -> Kind.FORBIDDEN;
            case 404 -> Kind.MISSING;
            case 409 -> conflict(code);
            case 412 -> code != null && AzureErrorCodes.isOfLease(code) ? Kind.HELD : Kind.UNAVAILABLE;
            case 429, 503 -> Kind.THROTTLED;
            default -> Kind.UNAVAILABLE;
        };
    }

    private static Kind conflict(@Nullable BlobErrorCode code) {
        if (BlobErrorCode.CONTAINER_BEING_DELETED.equals(code)) {
            return Kind.MISSING;
        }
        if (BlobErrorCode.SNAPSHOT_OPERATION_RATE_EXCEEDED.equals(code)) {
            return Kind.THROTTLED;
        }
        return AzureErrorCodes.passes(code) ? Kind.UNAVAILABLE : Kind.HELD;
    }
}
