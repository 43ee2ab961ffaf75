package dev.kvstore.client.internal;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.RetryInfo;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.KvStoreException.FieldViolation;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns failures of gRPC and of the server into exceptions. Stateless. */
public final class Errors {
    private static final Logger LOG = LoggerFactory.getLogger(Errors.class);

    /** The longest retry delay; a longer one would overflow when it is added to a time. */
    private static final Duration LONGEST_DELAY = Duration.ofDays(1);

    private Errors() {}

    /**
     * The exception for a call's failure. Never throws, since the thread that waits for the call depends on it. The
     * outcome of a call that this client cancelled is not read, so {@code CANCELLED} means that the server dropped the
     * stream, as it does when it shuts down; another data plane may serve the call.
     */
    public static KvStoreException of(Status status, @Nullable Metadata trailers) {
        OutOfMemoryError exhausted = within(status.getCause(), OutOfMemoryError.class);
        if (exhausted != null) {
            return exhausted(exhausted);
        }
        if (status.getCode() == Status.Code.CANCELLED) {
            return new KvStoreException(
                    ErrorCode.UNAVAILABLE, "the server dropped the call: " + words(status.getDescription()));
        }
        String disagreement = TlsFailure.explain(status);
        if (disagreement != null) {
            return new KvStoreException(code(status.getCode()), disagreement);
        }
        if (status.getCode() == Status.Code.UNKNOWN && status.getCause() instanceof IOException broken) {
            // grpc-netty gives this description to a call that was about to use a connection just closed.
            return new KvStoreException(
                    ErrorCode.UNAVAILABLE,
                    "the connection broke: " + words(status.getDescription()) + " ("
                            + broken.getClass().getSimpleName() + ")");
        }
        if (status.getCause() != null) {
            return plain(status); // the connection failed, not the server: there are no details
        }
        com.google.rpc.Status details = details(status, trailers);
        return details == null ? plain(status) : of(details);
    }

    /**
     * The details that the trailers add to the status; null if there are none, if they are unreadable, or if they
     * belong to another status.
     */
    private static com.google.rpc.@Nullable Status details(Status status, @Nullable Metadata trailers) {
        try {
            return StatusProto.fromStatusAndTrailers(status, trailers);
        } catch (RuntimeException e) {
            LOG.debug("the details of {} are left out", status, e);
            return null;
        }
    }

    /** The failure of a block that has another length than the application expects. */
    public static KvStoreException otherLength(int storedBytes, int expectedBytes) {
        return new KvStoreException(
                ErrorCode.FAILED_PRECONDITION,
                "expected_bytes: the block is stored with " + storedBytes + " bytes, and " + expectedBytes
                        + " are expected; caches of another layout need a partition of another name");
    }

    /** The failure of an item. */
    public static KvStoreException of(com.google.rpc.Status status) {
        List<FieldViolation> violations = new ArrayList<>();
        Duration retryDelay = null;
        for (Any detail : status.getDetailsList()) {
            try {
                if (detail.is(BadRequest.class)) {
                    detail.unpack(BadRequest.class)
                            .getFieldViolationsList()
                            .forEach(v -> violations.add(new FieldViolation(v.getField(), v.getDescription())));
                } else if (detail.is(RetryInfo.class)) {
                    retryDelay = delay(detail.unpack(RetryInfo.class).getRetryDelay());
                }
            } catch (InvalidProtocolBufferException e) {
                return new KvStoreException(
                        code(status), status.getMessage() + " (details unreadable: " + e.getMessage() + ")");
            }
        }
        return new KvStoreException(code(status), words(status.getMessage()), violations, retryDelay);
    }

    /** The server's delay, within bounds. */
    private static Duration delay(com.google.protobuf.Duration delay) {
        long seconds = Math.max(0, Math.min(delay.getSeconds(), LONGEST_DELAY.toSeconds()));
        return Duration.ofSeconds(seconds, Math.max(0, Math.min(delay.getNanos(), 999_999_999)));
    }

    /** The exception for an unexpected failure of this client. */
    public static KvStoreException broken(String what, Throwable cause) {
        OutOfMemoryError exhausted = within(cause, OutOfMemoryError.class);
        if (exhausted != null) {
            return exhausted(exhausted);
        }
        KvStoreException failure = internal(what + " failed: " + cause);
        failure.initCause(cause);
        return failure;
    }

    /** The exception for a process without memory or threads, which says nothing about the server. */
    private static KvStoreException exhausted(OutOfMemoryError cause) {
        KvStoreException failure = new KvStoreException(
                ErrorCode.RESOURCE_EXHAUSTED, "this process, not the server, is at a limit: " + cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    /** The first of a kind among a failure and its causes; null if there is none. */
    static <T extends Throwable> @Nullable T within(@Nullable Throwable failure, Class<T> kind) {
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (kind.isInstance(one)) {
                return kind.cast(one);
            }
        }
        return null;
    }

    public static KvStoreException damaged(String flaw) {
        return new KvStoreException(ErrorCode.DATA_LOSS, flaw);
    }

    /** The exception for a server that broke the protocol. */
    public static KvStoreException internal(String flaw) {
        return new KvStoreException(ErrorCode.INTERNAL, flaw);
    }

    /** The exception for a waiting thread that was interrupted. The thread's interrupt flag stays set. */
    public static KvStoreException interrupted() {
        Thread.currentThread().interrupt();
        return new KvStoreException(ErrorCode.CANCELLED, "the waiting thread was interrupted");
    }

    public static KvStoreException clientClosed() {
        return new KvStoreException(ErrorCode.CANCELLED, "the client is closed");
    }

    private static KvStoreException plain(Status status) {
        Throwable cause = status.getCause();
        String why = words(status.getDescription());
        return new KvStoreException(
                code(status.getCode()), cause == null ? why : why + " (" + cause.getMessage() + ")");
    }

    /** The server's description, or words for a status that has none. */
    static String words(@Nullable String description) {
        return description == null || description.isEmpty() ? "no description" : description;
    }

    private static ErrorCode code(com.google.rpc.Status status) {
        return code(Status.fromCodeValue(status.getCode()).getCode());
    }

    /** The SDK's code of a failure; a failure that calls itself OK is an unknown one. */
    static ErrorCode code(Status.Code code) {
        return code == Status.Code.OK ? ErrorCode.UNKNOWN : ErrorCode.valueOf(code.name());
    }
}
