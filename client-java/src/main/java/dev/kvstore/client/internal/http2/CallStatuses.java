package dev.kvstore.client.internal.http2;

import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2Error;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Translates HTTP/2's errors of a call into gRPC's statuses (gRPC over HTTP/2, PROTOCOL-HTTP2.md). Stateless. */
final class CallStatuses {
    private static final Metadata.Key<String> STATUS = Metadata.Key.of("grpc-status", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> MESSAGE =
            Metadata.Key.of("grpc-message", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> CONTENT_TYPE =
            Metadata.Key.of("content-type", Metadata.ASCII_STRING_MARSHALLER);
    private static final int OK = 200;
    private static final long MOST_TIMEOUT = 99_999_999;

    private CallStatuses() {}

    /** The reason why an answer with these fields is not gRPC's; null if it is. */
    static @Nullable Status unlessGrpc(HeaderBlocks.ResponseFields fields) {
        String type = fields.metadata().get(CONTENT_TYPE);
        if (fields.status() == OK && type != null && type.startsWith("application/grpc")) {
            return null;
        }
        Status.Code code = switch (fields.status()) {
            case 400, 431 -> Status.Code.INTERNAL;
            case 401 -> Status.Code.UNAUTHENTICATED;
            case 403 -> Status.Code.PERMISSION_DENIED;
            case 404 -> Status.Code.UNIMPLEMENTED;
            case 429, 502, 503, 504 -> Status.Code.UNAVAILABLE;
            default -> Status.Code.UNKNOWN;
        };
        return code.toStatus()
                .withDescription("the answer is not gRPC: HTTP " + fields.status() + ", content-type " + type);
    }

    /** The status of a call with these trailers, from which the status is removed. */
    static Status ofTrailers(Metadata trailers) {
        String code = trailers.get(STATUS);
        String message = trailers.get(MESSAGE);
        trailers.removeAll(STATUS);
        trailers.removeAll(MESSAGE);
        if (code == null) {
            return Status.UNKNOWN.withDescription("the server's trailers have no grpc-status");
        }
        Status status;
        try {
            status = Status.fromCodeValue(Integer.parseInt(code));
        } catch (NumberFormatException e) {
            status = Status.UNKNOWN.withDescription("grpc-status " + code);
        }
        return message == null ? status : status.withDescription(decoded(message));
    }

    private static String decoded(String message) {
        try {
            return URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return message;
        }
    }

    /** The status of a call that the server reset. */
    static Status ofReset(long error) {
        Http2Error known = Http2Error.valueOf(error);
        String name = known == null ? Long.toString(error) : known.name();
        Status.Code code = known == null
                ? Status.Code.INTERNAL
                : switch (known) {
                    case REFUSED_STREAM -> Status.Code.UNAVAILABLE;
                    case CANCEL -> Status.Code.CANCELLED;
                    case ENHANCE_YOUR_CALM -> Status.Code.RESOURCE_EXHAUSTED;
                    case INADEQUATE_SECURITY -> Status.Code.PERMISSION_DENIED;
                    default -> Status.Code.INTERNAL;
                };
        return code.toStatus().withDescription("the server reset the stream: " + name);
    }

    /** The status of calls that the server did not look at before it closed the connection. */
    static Status ofGoAway(long error, String reason) {
        Http2Error known = Http2Error.valueOf(error);
        return Status.UNAVAILABLE.withDescription("the server closes the connection: "
                + (known == null ? Long.toString(error) : known.name())
                + (reason.isEmpty() ? "" : ", " + reason));
    }

    /** The status of open calls on a connection that is gone: their outcome is unknown. */
    static Status gone(String how, @Nullable Throwable cause) {
        return Status.UNAVAILABLE.withDescription(how).withCause(cause);
    }

    /**
     * Nanoseconds in the form of {@code grpc-timeout}: at most eight digits and a unit. The value is rounded up, or the
     * server would give up first.
     */
    static String timeout(long left) {
        long nanos = Math.max(1, left);
        if (nanos <= MOST_TIMEOUT) {
            return nanos + "n";
        }
        if (ceilDiv(nanos, 1_000) <= MOST_TIMEOUT) {
            return ceilDiv(nanos, 1_000) + "u";
        }
        if (ceilDiv(nanos, 1_000_000) <= MOST_TIMEOUT) {
            return ceilDiv(nanos, 1_000_000) + "m";
        }
        return Math.min(MOST_TIMEOUT, ceilDiv(nanos, 1_000_000_000)) + "S";
    }

    private static long ceilDiv(long nanos, long unit) {
        return nanos / unit + (nanos % unit == 0 ? 0 : 1);
    }
}
