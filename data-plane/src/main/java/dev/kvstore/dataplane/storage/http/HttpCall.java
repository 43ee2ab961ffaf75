package dev.kvstore.dataplane.storage.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A request and the wishes of its caller.
 *
 * @param head of the request, without {@code Host}
 * @param body its chunks; null for none
 * @param collect whether the answer is to be complete before it is delivered
 * @param lend whether pieces of the answer need not outlive the call that brings them: they are network memory then,
 *     and otherwise copies on the heap
 * @param lease of the body, if it has one; a body without a lease is copied
 */
public record HttpCall(
        HttpRequest head,
        @Nullable Flux<ByteBuffer> body,
        boolean collect,
        boolean lend,
        @Nullable Lease lease) {
    /** The caller, which is told once of the answer or of the failure. Implementations are thread-safe. */
    public interface HttpCaller {
        /**
         * The answer has begun, or is complete if the call wished for that.
         *
         * @param answer its body, which somebody reads, or gives up with {@code close}
         */
        void answered(io.netty.handler.codec.http.HttpResponse head, Flux<ByteBuffer> answer, Runnable close);

        void failed(IOException reason);
    }

    /** Adds the headers that HTTP/1.1 demands. */
    void complete(HttpOrigin origin) {
        head.headers().set(HttpHeaderNames.HOST, origin.authority());
        if (!head.headers().contains(HttpHeaderNames.CONTENT_LENGTH)) {
            if (body != null) {
                head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            } else if (mayHaveBody(head.method())) {
                head.headers().set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
            }
        }
    }

    private static boolean mayHaveBody(HttpMethod method) {
        return method.equals(HttpMethod.PUT) || method.equals(HttpMethod.POST) || method.equals(HttpMethod.PATCH);
    }
}
