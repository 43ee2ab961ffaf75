package dev.kvstore.dataplane.storage.azure.http;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.netty.handler.codec.http.HttpContent;
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
import reactor.core.publisher.MonoSink;

/**
 * One request and its answer. Whatever goes wrong ends the connection with it, and is an {@link IOException}: whether
 * to ask again is the SDK's to decide. But for {@link #cancel} and {@link #refuse}, only for the connection's event
 * loop.
 */
final class Exchange {
    private final HttpRequest request;
    private final io.netty.handler.codec.http.HttpRequest start;
    private final Wishes wishes;
    private final MonoSink<com.azure.core.http.HttpResponse> sink;
    private final Executor executor;
    private volatile boolean cancelled;
    private volatile @Nullable AzureConnection connection;
    private @Nullable BodyWriter outgoing;
    private @Nullable Incoming incoming;
    private @Nullable HttpResponse head;
    private boolean over;

    /**
     * The options of a caller, beside the request.
     *
     * @param collect the answer is to be complete before it is delivered
     * @param lend pieces of the answer need not outlive the call that brings them
     * @param lease of the request's body, if it has one
     */
    record Wishes(boolean collect, boolean lend, @Nullable Lease lease) {}

    /**
     * An exchange yet to begin.
     *
     * @param start of the request, as it is sent
     * @param executor runs what the SDK does about an answer, which is not done in the event loop
     */
    Exchange(
            HttpRequest request,
            io.netty.handler.codec.http.HttpRequest start,
            Wishes wishes,
            MonoSink<com.azure.core.http.HttpResponse> sink,
            Executor executor) {
        this.request = request;
        this.start = start;
        this.wishes = wishes;
        this.sink = sink;
        this.executor = executor;
    }

    /** No caller wants the answer any more. */
    void cancel() {
        cancelled = true;
        AzureConnection running = connection;
        if (running != null) {
            running.execute(() -> fail(new IOException("given up")));
        }
    }

    /** Fails, because there is no connection. */
    void refuse(IOException reason) {
        deliver(reason);
    }

    void begin(AzureConnection on) {
        connection = on;
        Lease lease = wishes.lease();
        if (cancelled || (lease != null && !lease.begin())) {
            over = true;
            on.giveBack(on.options().idle());
            deliver(new IOException("given up before it was sent"));
            return;
        }
        on.watch()
                .set(
                        on.options().silence(),
                        () -> fail(timeout("took nothing for " + on.options().silence())));
        on.read();
        BodyWriter sending = new BodyWriter(this, on, lease);
        outgoing = sending;
        on.prepare(start).addListener(done -> {
            if (!done.isSuccess()) {
                fail(on.broken(done.cause()));
            }
        });
        // On a connection that was closed a moment ago this has failed by now, and given the lease back.
        if (!over) {
            Flux<ByteBuffer> body = request.getBody();
            (body == null ? Flux.<ByteBuffer>empty() : body).subscribe(sending);
        }
    }

    void sentSome() {
        AzureConnection on = connection();
        on.watch()
                .set(
                        on.options().silence(),
                        () -> fail(timeout("took nothing for " + on.options().silence())));
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
                // The end of an interim answer.
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
        boolean body = request.getHttpMethod() != HttpMethod.HEAD && HttpUtil.getContentLength(response, -1L) != 0;
        if (response.status().code() >= 300 || wishes.collect() || !body) {
            incoming = new Collected(this);
            readMore();
        } else {
            Streamed streamed = new Streamed(this, connection(), executor, wishes.lend());
            incoming = streamed;
            awaitReader();
            deliver(streamed.flux());
        }
    }

    /** The next piece, which must come soon. */
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
        boolean sent = outgoing != null && outgoing.isSent();
        if (!sent && outgoing != null) {
            outgoing.stop();
        }
        if (!sent) {
            connection().abort();
        } else if (head != null && HttpUtil.isKeepAlive(head)) {
            connection().giveBack(Heads.idle(head, connection().options().idle()));
        } else {
            connection().end();
        }
    }

    void fail(Throwable failure) {
        if (over) {
            return;
        }
        over = true;
        if (outgoing != null) {
            outgoing.stop();
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
            AzureResponse answer = new AzureResponse(request, from.status().code(), Heads.of(from), body, this::cancel);
            executor.execute(() -> sink.success(answer));
        }
    }

    void deliver(IOException reason) {
        if (!cancelled) {
            executor.execute(() -> sink.error(reason));
        }
    }

    private IOException timeout(String what) {
        return new IOException(connection().origin() + " " + what);
    }

    private AzureConnection connection() {
        AzureConnection on = connection;
        if (on == null) {
            throw new IllegalStateException("the exchange has not begun");
        }
        return on;
    }
}
