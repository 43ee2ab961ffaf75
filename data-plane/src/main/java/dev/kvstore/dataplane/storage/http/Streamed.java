package dev.kvstore.dataplane.storage.http;

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
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * A body that goes to its reader piece by piece, in the event loop, and is read from the socket only as far as the
 * reader asks. For a slow reader, only the bytes of one read of the socket wait. State is the event loop's.
 */
final class Streamed implements Incoming {
    private final Exchange exchange;
    private final HttpConnection connection;
    private final Executor executor;
    private final boolean lends;
    private final Queue<HttpContent> waiting = new ArrayDeque<>();
    private final AtomicBoolean taken = new AtomicBoolean();
    private @Nullable Subscriber<? super ByteBuffer> reader;
    private long asked;
    private @Nullable IOException cut;
    private boolean over;
    private boolean draining;

    /**
     * A body of which nothing has come in yet.
     *
     * @param executor runs the reader's code for a failure
     * @param lends whether pieces are network memory, good until the reader returns; else copies
     */
    Streamed(Exchange exchange, HttpConnection connection, Executor executor, boolean lends) {
        this.exchange = exchange;
        this.connection = connection;
        this.executor = executor;
        this.lends = lends;
    }

    /** The pieces of the body, for one reader. */
    Flux<ByteBuffer> flux() {
        Publisher<ByteBuffer> publisher = this::subscribe;
        return Flux.from(publisher);
    }

    private void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        if (taken.getAndSet(true)) {
            Operators.error(subscriber, new IllegalStateException("the body of an answer can be read once"));
            return;
        }
        connection.execute(() -> reader = subscriber);
        subscriber.onSubscribe(new Subscription() {
            @Override
            public void request(long pieces) {
                connection.execute(() -> ask(pieces));
            }

            @Override
            public void cancel() {
                connection.execute(Streamed.this::abandon);
            }
        });
        connection.execute(this::open);
    }

    private void open() {
        if (over && cut != null && reader != null) {
            tell(reader, cut);
        } else {
            drain();
        }
    }

    private void ask(long pieces) {
        asked = Operators.addCap(asked, pieces);
        drain();
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

    /** Tells the reader outside the event loop: a reader may well ask again in the same call. */
    private void tell(Subscriber<? super ByteBuffer> subscriber, IOException reason) {
        executor.execute(() -> subscriber.onError(reason));
    }

    private void drain() {
        if (draining || over) {
            return;
        }
        draining = true;
        HttpContent piece = next();
        while (piece != null && reader != null) {
            pass(reader, piece);
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
        return piece != null && (isEnd || isAskedFor()) ? waiting.poll() : null;
    }

    private boolean isAskedFor() {
        return reader != null && asked > 0;
    }

    private void pass(Subscriber<? super ByteBuffer> subscriber, HttpContent piece) {
        try {
            ByteBuf bytes = piece.content();
            if (bytes.isReadable()) {
                asked = asked == Long.MAX_VALUE ? asked : asked - 1;
                subscriber.onNext(lends ? bytes.nioBuffer() : copy(bytes));
            }
        } finally {
            piece.release();
        }
        if (piece instanceof LastHttpContent && !over) {
            over = true;
            exchange.complete();
            subscriber.onComplete();
        }
    }

    private static ByteBuffer copy(ByteBuf bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.readableBytes());
        bytes.readBytes(copy);
        return copy.flip();
    }
}
