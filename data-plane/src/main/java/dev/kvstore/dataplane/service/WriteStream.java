package dev.kvstore.dataplane.service;

import com.google.rpc.Code;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One StreamingWrite: takes parts in, stores complete blocks side by side, answers in order. Its thread is the only one
 * to touch the call.
 */
final class WriteStream implements Runnable {
    /** A stream with no block begun holds nothing and may wait as long as its connection lives. */
    private static final Duration IDLE = Duration.ofDays(365);

    private final ServerCall<?, StreamingWriteResponse> call;
    private final Inbox<StreamingWriteRequest> inbox;
    private final PartReceiver receiver;
    private final WriteResults results;
    private final Duration stall;
    private @Nullable Refusal ending;

    WriteStream(
            ServerCall<?, StreamingWriteResponse> call,
            Inbox<StreamingWriteRequest> inbox,
            PartReceiver receiver,
            WriteResults results,
            Duration stall) {
        this.call = call;
        this.inbox = inbox;
        this.receiver = receiver;
        this.results = results;
        this.stall = stall;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked") // whatever fails, the caller is told
    public void run() {
        try {
            call.sendHeaders(new Metadata());
            if (serve()) {
                Refusal refusal = ending;
                if (refusal == null) {
                    call.close(Status.OK, new Metadata());
                } else {
                    Failures.close(call, refusal);
                }
            }
        } catch (Exception | Error e) {
            if (!inbox.isCancelled()) {
                Failures.close(call, Failures.refusal(e, "the resource"));
            }
        } finally {
            receiver.release();
        }
    }

    /** False when the client has left or was cut off. */
    private boolean serve() throws InterruptedException {
        while (!inbox.isCancelled()) {
            if (!results.send()) {
                return false;
            }
            boolean over = ending != null || inbox.isHalfClosed();
            if (over
                    && receiver.abandon(
                            Refusal.invalid("parts.last", "the stream ended before the block's last part"))) {
                continue;
            }
            if (over && results.isEmpty()) {
                return true;
            }
            if (over || results.isFull()) {
                inbox.await(IDLE);
            } else if (!takeIn()) {
                waitForMore();
            }
        }
        return false;
    }

    /** Until anything happens; but a message that has begun to arrive, or a block, holds memory and must end. */
    private void waitForMore() throws InterruptedException {
        Duration left = receiver.blockWithin(stall);
        Duration message = inbox.arrivingWithin(stall);
        if (left == null || (message != null && message.compareTo(left) < 0)) {
            left = message;
        }
        long since = System.nanoTime();
        boolean happened = left == null ? inbox.await(IDLE) : left.isPositive() && inbox.await(left);
        receiver.waited(System.nanoTime() - since);
        if (left != null && !happened) {
            ending = Refusal.of(
                    Code.DEADLINE_EXCEEDED,
                    "the rest of a block did not arrive in " + stall + " and a second for each MiB it has");
        }
    }

    /** False if nothing has arrived. */
    private boolean takeIn() {
        if (inbox.isOverLimit()) {
            ending = Refusal.exhausted("the server is taking in all it can", Duration.ofMillis(200));
            return true;
        }
        Received<StreamingWriteRequest> request = inbox.poll();
        if (request == null) {
            return false;
        }
        try {
            String flaw = request.flaw();
            if (flaw != null) {
                throw Refusal.invalid("request", flaw);
            }
            receiver.receive(request.message());
        } catch (Refusal refusal) {
            ending = refusal;
        } finally {
            inbox.done(request);
        }
        return true;
    }
}
