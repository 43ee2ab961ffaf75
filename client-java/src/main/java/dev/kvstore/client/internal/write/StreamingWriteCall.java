package dev.kvstore.client.internal.write;

import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.Attempt;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.client.internal.http2.LongMessage;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WriteResult;
import dev.kvstore.protocol.wire.KvStoreMethods;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One StreamingWrite call. Sending waits for room in HTTP/2. One thread sends; results come on the event loop. */
final class StreamingWriteCall extends ClientCall.Listener<StreamingWriteResponse> {
    private static final MethodDescriptor<LongMessage, StreamingWriteResponse> METHOD =
            LongMessage.asking(KvStoreMethods.ClientMethods.STREAMING_WRITE);

    private final Attempt attempt;
    private final ClientCall<LongMessage, StreamingWriteResponse> call;
    private final ReentrantLock lock;
    private final Condition changed;
    private final Consumer<WriteResult> results;
    private boolean over;
    private @Nullable KvStoreException failure;
    private int nextIndex;
    private boolean halfClosed;

    /**
     * @param lock guards this call's state together with its owner's; {@code changed} is signalled when the state
     *     changes
     * @param results called with the lock held; throws {@link KvStoreException} for a result that makes no sense
     */
    private StreamingWriteCall(Attempt attempt, ReentrantLock lock, Condition changed, Consumer<WriteResult> results) {
        this.attempt = attempt;
        this.call = attempt.call(METHOD);
        this.lock = lock;
        this.changed = changed;
        this.results = results;
    }

    static StreamingWriteCall start(
            Attempt attempt, ReentrantLock lock, Condition changed, Consumer<WriteResult> results) {
        StreamingWriteCall write = new StreamingWriteCall(attempt, lock, changed, results);
        write.call.start(write, new Metadata());
        write.call.request(Integer.MAX_VALUE); // results are small and never more than the blocks under way
        return write;
    }

    Attempt attempt() {
        return attempt;
    }

    /** Takes the index of the next block of this call. */
    int claimIndex() {
        return nextIndex++;
    }

    /** Whether no message of this call was sent yet. */
    boolean fresh() {
        return nextIndex == 0;
    }

    /** Waits for room for a message, with the lock held; false if the call is over. */
    boolean awaitRoom() throws InterruptedException {
        while (!over && !call.isReady()) {
            changed.await();
        }
        return !over;
    }

    /** Copies the message and hands it to the transport. */
    void send(LongMessage request) {
        call.sendMessage(request);
    }

    void halfClose() {
        if (!halfClosed) {
            halfClosed = true;
            call.halfClose();
        }
    }

    void cancel(String why) {
        call.cancel(why, null);
    }

    /** Whether the call is over. The caller holds the lock. */
    boolean over() {
        return over;
    }

    /** The reason why the call ended; null if it ended in good order. The caller holds the lock. */
    @Nullable
    KvStoreException failure() {
        return failure;
    }

    @Override
    public void onReady() {
        signal();
    }

    @Override
    public void onMessage(StreamingWriteResponse message) {
        lock.lock();
        try {
            if (failure == null) {
                message.getResultsList().forEach(results);
            }
        } catch (KvStoreException e) {
            failure = e;
            call.cancel(e.getMessage(), null);
        } catch (RuntimeException | Error e) {
            failure = Errors.broken("taking in a result", e);
            call.cancel("a result could not be taken in", e);
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        KvStoreException why = status.isOk() ? null : Errors.of(status, trailers);
        lock.lock();
        try {
            over = true;
            if (failure == null) {
                failure = why;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
