package dev.kvstore.client.internal.http2;

import io.netty.handler.codec.http2.Http2Error;

/** The failure of a peer that broke HTTP/2; the connection ends. */
final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Http2Error error;

    ProtocolException(Http2Error error, String flaw) {
        super(flaw);
        this.error = error;
    }

    /** The error that the peer gets. */
    Http2Error error() {
        return error;
    }
}
