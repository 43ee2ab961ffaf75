package dev.kvstore.dataplane.storage.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * The body of a request on its way out, a piece at a time: the next is asked for when the socket has taken the one
 * before. Leased memory goes to the socket as it is, and is read until then and no longer. State is the event loop's.
 */
final class BodyWriter extends BaseSubscriber<ByteBuffer> {
    private final Exchange exchange;
    private final HttpConnection connection;
    private @Nullable Lease lease;
    private boolean writing;
    private boolean complete;
    private boolean stopped;

    /** A body that has begun to read leased memory. */
    BodyWriter(Exchange exchange, HttpConnection connection, @Nullable Lease lease) {
        this.exchange = exchange;
        this.connection = connection;
        this.lease = lease;
    }

    /** Whether the socket has taken the whole body. */
    boolean isSent() {
        return complete && !writing;
    }

    /** Sends no more. */
    void stop() {
        stopped = true;
        cancel();
        settle();
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        request(1);
    }

    @Override
    protected void hookOnNext(ByteBuffer piece) {
        connection.execute(() -> write(piece));
    }

    private void write(ByteBuffer piece) {
        if (stopped) {
            return;
        }
        ByteBuf bytes = lease != null && piece.isDirect() ? Unpooled.wrappedBuffer(piece) : connection.copy(piece);
        writing = true;
        connection.send(new DefaultHttpContent(bytes)).addListener(done -> connection.execute(() -> written(done)));
    }

    private void written(Future<? super Void> done) {
        writing = false;
        settle();
        if (done.isSuccess() && !stopped) {
            exchange.sentSome();
            request(1);
        } else if (!stopped) {
            exchange.fail(connection.broken(done.cause()));
        }
    }

    @Override
    protected void hookOnComplete() {
        connection.execute(() -> {
            if (!stopped) {
                complete = true;
                var _ = connection.send(LastHttpContent.EMPTY_LAST_CONTENT);
                settle();
                exchange.sentAll();
            }
        });
    }

    @Override
    protected void hookOnError(Throwable failure) {
        connection.execute(() -> exchange.fail(failure));
    }

    private void settle() {
        if (lease != null && !writing && (complete || stopped)) {
            lease.end();
            lease = null;
        }
    }
}
