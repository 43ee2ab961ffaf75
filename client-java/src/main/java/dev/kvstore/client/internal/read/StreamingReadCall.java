package dev.kvstore.client.internal.read;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.Attempt;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.client.internal.http2.Http2Channel;
import dev.kvstore.protocol.answer.v1.StreamingReadAnswer;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.protocol.wire.Received;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One StreamingRead call. The event loop verifies parts while they are in its processor's cache, and hands on blocks:
 * waking the consumer costs as much as a part. At most {@code messages} are asked for, in blocks that nobody has taken,
 * or in the one that is being put together; a block of more than that is let in while nothing else waits.
 */
final class StreamingReadCall extends ClientCall.Listener<Received<StreamingReadAnswer>> {
    /** A result, and the number of messages since the one before. */
    private record Ready(BlockResult result, int messages) {}

    private final Attempt attempt;
    private final ClientCall<StreamingReadRequest, Received<StreamingReadAnswer>> call;
    private final BlockAssembler assembler;
    private final int batch;
    private final Queue<Ready> queue = new ConcurrentLinkedQueue<>();
    private int owed;
    private volatile @Nullable Thread consumer;
    private volatile boolean abandoned;
    private volatile boolean over;
    private volatile @Nullable KvStoreException failure;

    // The event loop's.
    private int messages;
    private @Nullable KvStoreException broken;

    private StreamingReadCall(Attempt attempt, BlockAssembler assembler, int messages, int windowBytes) {
        this.attempt = attempt;
        this.call = attempt.call(
                KvStoreMethods.ClientMethods.STREAMING_READ,
                CallOptions.DEFAULT.withOption(Http2Channel.WINDOW, windowBytes));
        this.assembler = assembler;
        // Asking wakes the event loop: half of them at a time keeps it fed and costs next to nothing.
        this.batch = Math.max(1, messages / 2);
    }

    /**
     * Asks for blocks.
     *
     * @param assembler a new one for what the request asks for; passes to the call
     * @param messages asked for at a time, 2 or more
     * @param windowBytes bytes that the transport takes beyond these
     */
    static StreamingReadCall start(
            Attempt attempt, StreamingReadRequest request, BlockAssembler assembler, int messages, int windowBytes) {
        StreamingReadCall read = new StreamingReadCall(attempt, assembler, messages, windowBytes);
        read.call.start(read, new Metadata());
        read.call.request(messages);
        read.call.sendMessage(request);
        read.call.halfClose();
        attempt.waits(false); // until the reader does
        return read;
    }

    Attempt attempt() {
        return attempt;
    }

    /**
     * The next result; waits for it. Null when the call is over and all results were taken. For one thread at a time.
     */
    @Nullable
    BlockResult take() throws InterruptedException {
        Ready ready = queue.poll();
        if (ready == null) {
            ask(1);
            ready = await();
        }
        if (ready == null) {
            return null;
        }
        owed += ready.messages();
        ask(batch);
        return ready.result();
    }

    /** Asks for as many messages as were taken, if they are {@code least} or more. */
    private void ask(int least) {
        if (owed >= least) {
            int more = owed;
            owed = 0;
            call.request(more);
        }
    }

    private @Nullable Ready await() throws InterruptedException {
        consumer = Thread.currentThread();
        attempt.waits(true);
        try {
            while (true) {
                // Messages that came before the end are in the queue by the time the end is seen.
                boolean last = over;
                Ready ready = queue.poll();
                if (ready != null || last) {
                    return ready;
                }
                LockSupport.park(this);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            attempt.waits(false);
            consumer = null;
        }
    }

    /** Why the call ended, or null if it ended in good order. */
    @Nullable
    KvStoreException failure() {
        return failure;
    }

    /** The consumer has left; further results are dropped. */
    void abandon(boolean cancel) {
        abandoned = true;
        closeQueued();
        if (cancel) {
            call.cancel("the reader is done", null);
        }
    }

    private void closeQueued() {
        for (Ready ready = queue.poll(); ready != null; ready = queue.poll()) {
            if (ready.result() instanceof BlockResult.Found found) {
                found.block().close();
            }
        }
    }

    @Override
    public void onMessage(Received<StreamingReadAnswer> message) {
        messages++;
        if (abandoned || broken != null) {
            message.close();
            return;
        }
        try {
            feed(message);
        } catch (KvStoreException e) {
            broken = e;
            call.cancel(e.getMessage(), null);
            return;
        }
        publish();
        if (queue.isEmpty() && messages > 0) {
            call.request(messages);
            messages = 0;
        }
    }

    private void feed(Received<StreamingReadAnswer> message) {
        ReceivedMessage receivedMessage = new ReceivedMessage(message::close);
        try {
            String flaw = message.flaw();
            if (flaw != null) {
                throw Errors.internal("the server sent what is no StreamingReadResponse: " + flaw);
            }
            message.message().getPartsList().forEach(part -> assembler.accept(part, receivedMessage));
        } finally {
            receivedMessage.release();
        }
    }

    private void publish() {
        BlockResult result = assembler.poll();
        if (result == null) {
            return;
        }
        while (result != null) {
            BlockResult next = assembler.poll();
            // With the last of them, so that a consumer that has taken all has paid for all.
            queue.add(new Ready(result, next == null ? messages : 0));
            result = next;
        }
        messages = 0;
        if (abandoned) {
            closeQueued();
        }
        wake();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        try {
            end(status, trailers);
        } catch (RuntimeException | Error e) {
            failure = Errors.broken("the end of the stream", e);
        } finally {
            over = true; // the reader waits for nothing else
            wake();
        }
    }

    private void end(Status status, Metadata trailers) {
        if (broken != null) {
            failure = broken;
        } else if (!status.isOk()) {
            failure = Errors.of(status, trailers);
        } else if (!abandoned) { // else blocks are missing because nobody took them in
            assembler.end();
            publish();
        }
        assembler.close();
    }

    private void wake() {
        Thread waiting = consumer;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }
}
