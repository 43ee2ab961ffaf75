package dev.kvstore.client.internal;

import dev.kvstore.client.KvStoreException;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.protocol.wire.Received;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One StreamingRead call. The event loop only queues what arrives; at most {@code window} messages are queued or asked
 * for, and more are asked for as the consumer takes them.
 */
final class StreamingReadCall extends ClientCall.Listener<Received<StreamingReadResponse>> {
    private final Attempt attempt;
    private final ClientCall<StreamingReadRequest, Received<StreamingReadResponse>> call;
    private final int batch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Queue<Received<StreamingReadResponse>> queue = new ArrayDeque<>();
    private int taken;
    private boolean abandoned;
    private boolean over;
    private @Nullable KvStoreException failure;

    private StreamingReadCall(Attempt attempt, int window) {
        this.attempt = attempt;
        this.call = attempt.call(KvStoreMethods.Client.STREAMING_READ);
        // Asking wakes the event loop: half a window at a time keeps it fed and costs next to nothing.
        this.batch = Math.max(1, window / 2);
    }

    /** Asks for blocks. {@code window} counts messages, 2 or more. */
    static StreamingReadCall start(Attempt attempt, StreamingReadRequest request, int window) {
        StreamingReadCall read = new StreamingReadCall(attempt, window);
        read.call.start(read, new Metadata());
        read.call.request(window);
        read.call.sendMessage(request);
        read.call.halfClose();
        return read;
    }

    Attempt attempt() {
        return attempt;
    }

    /** The next message, which the caller closes; waits for it. Null when the call is over and all were taken. */
    @Nullable
    Received<StreamingReadResponse> take() throws InterruptedException {
        Received<StreamingReadResponse> message;
        lock.lockInterruptibly();
        try {
            while (queue.isEmpty() && !over) {
                arrived.await();
            }
            message = queue.poll();
        } finally {
            lock.unlock();
        }
        if (message != null && ++taken == batch) {
            taken = 0;
            call.request(batch);
        }
        return message;
    }

    /** Why the call ended, or null if it ended in good order. */
    @Nullable
    KvStoreException failure() {
        lock.lock();
        try {
            return failure;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody takes anything any more. */
    void abandon(boolean cancel) {
        lock.lock();
        try {
            abandoned = true;
            queue.forEach(Received::close);
            queue.clear();
        } finally {
            lock.unlock();
        }
        if (cancel) {
            call.cancel("the reader is done", null);
        }
    }

    @Override
    public void onMessage(Received<StreamingReadResponse> message) {
        lock.lock();
        try {
            if (abandoned) {
                message.close();
                return;
            }
            queue.add(message);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        lock.lock();
        try {
            over = true;
            failure = status.isOk() ? null : Errors.of(status, trailers);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }
}
