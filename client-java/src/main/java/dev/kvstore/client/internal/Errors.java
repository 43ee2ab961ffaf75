package dev.kvstore.client.internal;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.RetryInfo;
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

/** Turns what gRPC and the server say into exceptions. Stateless. */
final class Errors {
    private Errors() {}

    /**
     * A call's failure. Nobody reads the outcome of a call that was cancelled here; so {@code CANCELLED} means that the
     * server dropped the stream, as it does when it shuts down, and that another may have it.
     */
    static KvStoreException of(Status status, @Nullable Metadata trailers) {
        if (status.getCode() == Status.Code.CANCELLED) {
            return new KvStoreException(
                    Status.Code.UNAVAILABLE, "the server dropped the call: " + status.getDescription());
        }
        String disagreement = TlsFailure.explain(status);
        if (disagreement != null) {
            return new KvStoreException(status.getCode(), disagreement);
        }
        if (status.getCode() == Status.Code.UNKNOWN && status.getCause() instanceof IOException broken) {
            // What grpc-netty says of a call that it was about to put on a connection just closed.
            return new KvStoreException(
                    Status.Code.UNAVAILABLE,
                    "the connection broke: " + status.getDescription() + " ("
                            + broken.getClass().getSimpleName() + ")");
        }
        if (status.getCause() != null) {
            return plain(status); // of the connection, not of the server: there are no details
        }
        com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(status, trailers);
        return details == null ? plain(status) : of(details);
    }

    /** An item's failure. */
    static KvStoreException of(com.google.rpc.Status status) {
        List<FieldViolation> violations = new ArrayList<>();
        Duration retryDelay = null;
        for (Any detail : status.getDetailsList()) {
            try {
                if (detail.is(BadRequest.class)) {
                    detail.unpack(BadRequest.class)
                            .getFieldViolationsList()
                            .forEach(v -> violations.add(new FieldViolation(v.getField(), v.getDescription())));
                } else if (detail.is(RetryInfo.class)) {
                    com.google.protobuf.Duration delay =
                            detail.unpack(RetryInfo.class).getRetryDelay();
                    retryDelay = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
                }
            } catch (InvalidProtocolBufferException e) {
                return new KvStoreException(
                        code(status), status.getMessage() + " (details unreadable: " + e.getMessage() + ")");
            }
        }
        return new KvStoreException(code(status), status.getMessage(), violations, retryDelay);
    }

    static KvStoreException damaged(String flaw) {
        return new KvStoreException(Status.Code.DATA_LOSS, flaw);
    }

    /** The server broke the protocol. */
    static KvStoreException internal(String flaw) {
        return new KvStoreException(Status.Code.INTERNAL, flaw);
    }

    /** The waiting thread was interrupted; it stays so. */
    static KvStoreException interrupted() {
        Thread.currentThread().interrupt();
        return new KvStoreException(Status.Code.CANCELLED, "the waiting thread was interrupted");
    }

    private static KvStoreException plain(Status status) {
        String said = status.getDescription();
        Throwable cause = status.getCause();
        String why = said != null ? said : "no description";
        return new KvStoreException(status.getCode(), cause == null ? why : why + " (" + cause.getMessage() + ")");
    }

    private static Status.Code code(com.google.rpc.Status status) {
        Status.Code code = Status.fromCodeValue(status.getCode()).getCode();
        return code == Status.Code.OK ? Status.Code.UNKNOWN : code;
    }
}
