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
 * One StreamingRead call. The event loop verifies parts while they are in its processor's cache, and passes on whole
 * blocks, since waking the consumer costs as much as a part. At most {@code messages} messages are requested, or lie in
 * blocks that the consumer has not taken or in the block that is being assembled. A block of more messages is let in
 * while nothing else waits.
 */
final class StreamingReadCall extends ClientCall.Listener<Received<StreamingReadAnswer>> {
    /** A result, and the number of messages since the previous result. */
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

    // Only the event loop uses this field.
    private int messages;
    private @Nullable KvStoreException broken;

    private StreamingReadCall(Attempt attempt, BlockAssembler assembler, int messages, int windowBytes) {
        this.attempt = attempt;
        this.call = attempt.call(
                KvStoreMethods.ClientMethods.STREAMING_READ,
                CallOptions.DEFAULT.withOption(Http2Channel.WINDOW, windowBytes));
        this.assembler = assembler;
        // A request wakes the event loop: requests for half of the messages keep it fed and cost next to nothing.
        this.batch = Math.max(1, messages / 2);
    }

    /**
     * Starts a call that requests blocks.
     *
     * @param assembler a new assembler for the requested blocks; it passes to the call
     * @param messages requested at a time, 2 or more
     * @param windowBytes bytes that the transport takes beyond these messages
     */
    static StreamingReadCall start(
            Attempt attempt, StreamingReadRequest request, BlockAssembler assembler, int messages, int windowBytes) {
        StreamingReadCall read = new StreamingReadCall(attempt, assembler, messages, windowBytes);
        read.call.start(read, new Metadata());
        read.call.request(messages);
        read.call.sendMessage(request);
        read.call.halfClose();
        attempt.waits(false); // the call waits for the data plane only while the reader waits
        return read;
    }

    Attempt attempt() {
        return attempt;
    }

    /**
     * Waits for the next result. Null when the call is over and all results were taken. One thread at a time may call
     * this.
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

    /** Requests as many messages as were taken, if they are {@code least} or more. */
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

    /** The reason why the call ended; null if it ended in good order. */
    @Nullable
    KvStoreException failure() {
        return failure;
    }

    /** Notes that the consumer has left; further results are dropped. */
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
            // The last result carries the count, so that a consumer that has taken all results has paid for all
            // messages.
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
        } else if (!abandoned) { // if abandoned, blocks are missing because they were dropped
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
