package dev.kvstore.dataplane.storage.http;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * One request and its answer. A failure ends the connection with the exchange, and is an {@link IOException}: whether
 * to ask again is the caller's to decide. All methods but {@link #cancel} and {@link #refuse} are for the connection's
 * event loop.
 */
final class Exchange {
    private final HttpCall call;
    private final HttpCall.HttpCaller caller;
    private final Executor executor;
    private volatile boolean cancelled;
    private volatile @Nullable HttpConnection connection;
    private @Nullable BodyWriter writer;
    private @Nullable Incoming incoming;
    private @Nullable HttpResponse head;
    private boolean over;

    /**
     * An exchange yet to begin.
     *
     * @param executor runs the caller's code for an answer, which does not run in the event loop
     */
    Exchange(HttpCall call, HttpCall.HttpCaller caller, Executor executor) {
        this.call = call;
        this.caller = caller;
        this.executor = executor;
    }

    /** No caller wants the answer any more. */
    void cancel() {
        cancelled = true;
        HttpConnection running = connection;
        if (running != null) {
            running.execute(() -> fail(new IOException("given up")));
        }
    }

    /** Fails, because there is no connection. */
    void refuse(IOException reason) {
        deliver(reason);
    }

    void begin(HttpConnection httpConnection) {
        connection = httpConnection;
        Lease lease = call.lease();
        if (cancelled || (lease != null && !lease.begin())) {
            over = true;
            httpConnection.giveBack(httpConnection.options().idle());
            deliver(new IOException("given up before it was sent"));
            return;
        }
        sentSome();
        httpConnection.read();
        BodyWriter sending = new BodyWriter(this, httpConnection, lease);
        writer = sending;
        httpConnection.prepare(call.head()).addListener(done -> {
            if (!done.isSuccess()) {
                fail(httpConnection.broken(done.cause()));
            }
        });
        // On a connection that was closed a moment ago the exchange has failed by now, and given the lease back.
        if (!over) {
            Flux<ByteBuffer> body = call.body();
            (body == null ? Flux.<ByteBuffer>empty() : body).subscribe(sending);
        }
    }

    void sentSome() {
        HttpConnection httpConnection = connection();
        httpConnection
                .watch()
                .set(
                        httpConnection.options().silence(),
                        () -> fail(timeout(
                                "took nothing for " + httpConnection.options().silence())));
    }

    void sentAll() {
        if (head == null && !over) {
            Duration patience = connection().options().answerTimeout();
            connection().watch().set(patience, () -> fail(timeout("did not answer within " + patience)));
        }
    }

    /** Takes a message that the connection has read, and its memory. */
    void received(Object message) {
        if (over
                || !(message instanceof HttpObject part)
                || part.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            fail(new IOException(connection().origin() + " answered what is no HTTP"));
            return;
        }
        if (part instanceof HttpResponse response) {
            begin(response);
        }
        if (part instanceof HttpContent piece) {
            if (incoming == null) {
                // This was the end of an interim answer.
                piece.release();
                readMore();
            } else {
                incoming.take(piece);
            }
        }
    }

    private void begin(HttpResponse response) {
        if (response.status().code() < 200) {
            return;
        }
        head = response;
        boolean body = !call.head().method().equals(HttpMethod.HEAD) && HttpUtil.getContentLength(response, -1L) != 0;
        if (response.status().code() >= 300 || call.collect() || !body) {
            incoming = new Collected(this);
            readMore();
        } else {
            Streamed streamed = new Streamed(this, connection(), executor, call.lend());
            incoming = streamed;
            awaitReader();
            deliver(streamed.flux());
        }
    }

    /** Reads the next piece, which must come soon. */
    void readMore() {
        if (!over) {
            Duration silence = connection().options().silence();
            connection().watch().set(silence, () -> fail(timeout("sent nothing for " + silence)));
            connection().read();
        }
    }

    /** Waits until the reader asks for the next piece, for at most the answer timeout. */
    void awaitReader() {
        Duration patience = connection().options().answerTimeout();
        connection().watch().set(patience, () -> fail(new IOException("nobody read the answer for " + patience)));
    }

    /** The connection is closed. */
    void cut() {
        IOException reason = new IOException(connection().origin() + " closed the connection "
                + (head == null ? "without an answer" : "in the middle of an answer"));
        if (over) {
            return;
        }
        if (incoming == null) {
            fail(reason);
        } else {
            incoming.cut(reason);
        }
    }

    /** The whole answer is read, and the connection is free again. */
    void complete() {
        over = true;
        boolean sent = writer != null && writer.isSent();
        if (!sent && writer != null) {
            writer.stop();
        }
        if (!sent) {
            connection().abort();
        } else if (head != null && HttpUtil.isKeepAlive(head)) {
            connection()
                    .giveBack(KeepAliveHeader.idle(head, connection().options().idle()));
        } else {
            connection().end();
        }
    }

    void fail(Throwable failure) {
        if (over) {
            return;
        }
        over = true;
        if (writer != null) {
            writer.stop();
        }
        connection().abort();
        IOException reason = failure instanceof IOException io
                ? io
                : new IOException(connection().origin() + ": " + failure, failure);
        if (incoming == null) {
            deliver(reason);
        } else {
            incoming.fail(reason);
        }
    }

    void deliver(Flux<ByteBuffer> body) {
        HttpResponse from = head;
        if (from != null) {
            executor.execute(() -> caller.answered(from, body, this::cancel));
        }
    }

    void deliver(IOException reason) {
        if (!cancelled) {
            executor.execute(() -> caller.failed(reason));
        }
    }

    private IOException timeout(String what) {
        return new IOException(connection().origin() + " " + what);
    }

    private HttpConnection connection() {
        HttpConnection httpConnection = connection;
        if (httpConnection == null) {
            throw new IllegalStateException("the exchange has not begun");
        }
        return httpConnection;
    }
}
