package dev.kvstore.dataplane.server;

import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts the connections of the gRPC listener, and closes those beyond a limit. Thread-safe. */
public final class Connections extends ServerTransportFilter {
    private static final Attributes.Key<Boolean> COUNTED = Attributes.Key.create("kvstore.counted");

    private final int limit;
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    /**
     * No connection is open.
     *
     * @param limit connections at a time, 1 or more
     */
    public Connections(int limit) {
        this.limit = limit;
    }

    /** Connections open now. */
    public int open() {
        return open.get();
    }

    /** Connections at a time. */
    public int limit() {
        return limit;
    }

    /** Connections closed since there were enough. */
    public long refused() {
        return refused.sum();
    }

    @Override
    public Attributes transportReady(Attributes attributes) {
        if (open.incrementAndGet() > limit) {
            open.decrementAndGet();
            refused.increment();
            throw surplus();
        }
        return attributes.toBuilder().set(COUNTED, true).build();
    }

    /** The transport closes a connection whose first frame cannot be handled, with this error: callers may try elsewhere. */
    private IllegalStateException surplus() {
        String text = "the server has " + limit + " connections, which is all it takes";
        return new IllegalStateException(text, Http2Exception.connectionError(Http2Error.NO_ERROR, text));
    }

    @Override
    public void transportTerminated(Attributes attributes) {
        if (attributes != null && attributes.get(COUNTED) != null) {
            open.decrementAndGet();
        }
    }
}
