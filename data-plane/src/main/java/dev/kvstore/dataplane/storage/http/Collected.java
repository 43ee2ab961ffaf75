package dev.kvstore.dataplane.storage.http;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/** A body that is on the heap as a whole before anybody sees the answer: an error, a listing, or none at all. */
final class Collected implements Incoming {
    // A page of a listing has up to 5000 names of 1 kB with their properties; but none of ours is half as long.
    private static final int MOST_BYTES = 16 << 20;

    private final Exchange exchange;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Collected(Exchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public void take(HttpContent piece) {
        try {
            piece.content().readBytes(bytes, piece.content().readableBytes());
        } catch (IOException e) {
            throw new AssertionError("memory cannot fail", e);
        } finally {
            piece.release();
        }
        if (piece instanceof LastHttpContent) {
            exchange.complete();
            exchange.deliver(
                    bytes.size() == 0
                            ? Flux.empty()
                            : Flux.defer(() -> Flux.just(ByteBuffer.wrap(bytes.toByteArray()))));
        } else if (bytes.size() > MOST_BYTES) {
            exchange.fail(new IOException("the answer has more than " + MOST_BYTES + " bytes"));
        } else {
            exchange.readMore();
        }
    }

    @Override
    public void cut(IOException reason) {
        exchange.fail(reason);
    }

    @Override
    public void fail(IOException reason) {
        exchange.deliver(reason);
    }
}
