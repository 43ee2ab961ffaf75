package dev.kvstore.dataplane.storage.azure.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/**
 * A body that goes to its reader piece by piece, in the event loop, and is read from the socket only as far as the reader
 * asks. What waits for a slow one is what came in one go. State is the event loop's.
 */
final class Streamed implements Incoming {
    private final Exchange exchange;
    private final Connection connection;
    private final Executor executor;
    private final boolean lends;
    private final Queue<HttpContent> waiting = new ArrayDeque<>();
    private final AtomicBoolean taken = new AtomicBoolean();
    private @Nullable FluxSink<ByteBuffer> reader;
    private @Nullable IOException cut;
    private boolean over;
    private boolean draining;

    /**
     * A body of which nothing has come in yet.
     *
     * @param executor runs what the reader does about a failure
     * @param lends whether pieces are network memory, good until the reader returns; else copies
     */
    Streamed(Exchange exchange, Connection connection, Executor executor, boolean lends) {
        this.exchange = exchange;
        this.connection = connection;
        this.executor = executor;
        this.lends = lends;
    }

    /** For one reader. */
    Flux<ByteBuffer> flux() {
        return Flux.push(
                sink -> {
                    if (taken.getAndSet(true)) {
                        sink.error(new IllegalStateException("the body of an answer can be read once"));
                        return;
                    }
                    sink.onCancel(() -> connection.execute(this::abandon));
                    connection.execute(() -> open(sink));
                    sink.onRequest(_ -> connection.execute(this::drain));
                },
                FluxSink.OverflowStrategy.IGNORE);
    }

    private void open(FluxSink<ByteBuffer> sink) {
        reader = sink;
        if (over && cut != null) {
            tell(sink, cut);
        } else {
            drain();
        }
    }

    private void abandon() {
        reader = null;
        exchange.fail(new IOException("nobody reads on"));
    }

    @Override
    public void take(HttpContent piece) {
        waiting.add(piece);
        drain();
    }

    @Override
    public void cut(IOException reason) {
        cut = reason;
        drain();
    }

    @Override
    public void fail(IOException reason) {
        over = true;
        cut = reason;
        waiting.forEach(HttpContent::release);
        waiting.clear();
        if (reader != null) {
            tell(reader, reason);
        }
    }

    /** Not in the event loop: a reader may well ask again in its place. */
    private void tell(FluxSink<ByteBuffer> sink, IOException reason) {
        executor.execute(() -> sink.error(reason));
    }

    private void drain() {
        if (draining || over) {
            return;
        }
        draining = true;
        HttpContent piece = next();
        while (piece != null) {
            pass(piece);
            piece = next();
        }
        draining = false;
        if (over) {
            return;
        }
        if (!waiting.isEmpty() || !isAskedFor()) {
            exchange.awaitReader();
        } else if (cut != null) {
            exchange.fail(cut);
        } else {
            exchange.readMore();
        }
    }

    private @Nullable HttpContent next() {
        HttpContent piece = over || reader == null ? null : waiting.peek();
        boolean isEnd = piece instanceof LastHttpContent && !piece.content().isReadable();
        return isEnd || isAskedFor() ? waiting.poll() : null;
    }

    private boolean isAskedFor() {
        return reader != null && reader.requestedFromDownstream() > 0;
    }

    private void pass(HttpContent piece) {
        FluxSink<ByteBuffer> sink = reader;
        if (sink == null) {
            throw new IllegalStateException("nobody reads");
        }
        try {
            ByteBuf bytes = piece.content();
            if (bytes.isReadable()) {
                sink.next(lends ? bytes.nioBuffer() : copy(bytes));
            }
        } finally {
            piece.release();
        }
        if (piece instanceof LastHttpContent && !over) {
            over = true;
            exchange.complete();
            sink.complete();
        }
    }

    private static ByteBuffer copy(ByteBuf bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.readableBytes());
        bytes.readBytes(copy);
        return copy.flip();
    }
}
