package dev.kvstore.dataplane.service;

import com.google.rpc.Code;
import dev.kvstore.dataplane.call.CallFailures;
import dev.kvstore.dataplane.call.CallInput;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One StreamingWrite: receives parts, stores complete blocks in parallel, and answers in order. Its thread is the only
 * one that uses the call.
 */
final class WriteStream implements Runnable {
    private final ServerCall<?, StreamingWriteResponse> call;
    private final CallInput<StreamingWriteRequest> input;
    private final PartReceiver receiver;
    private final WriteResults results;
    private final Duration stall;
    private @Nullable CallRefusal endingRefusal;

    WriteStream(
            ServerCall<?, StreamingWriteResponse> call,
            CallInput<StreamingWriteRequest> input,
            PartReceiver receiver,
            WriteResults results,
            Duration stall) {
        this.call = call;
        this.input = input;
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
                input.answered();
                CallRefusal refusal = endingRefusal;
                if (refusal == null) {
                    call.close(Status.OK, new Metadata());
                } else {
                    CallFailures.close(call, refusal);
                }
            }
        } catch (Exception | Error e) {
            if (!input.isCancelled()) {
                CallFailures.close(call, CallFailures.refusal(e, "the resource"));
            }
        } finally {
            receiver.release();
        }
    }

    /** Serves the stream; false when the client has left or was cut off. */
    private boolean serve() throws InterruptedException {
        while (!input.isCancelled()) {
            if (!results.send()) {
                return false;
            }
            boolean over = endingRefusal != null || input.isHalfClosed();
            if (over
                    && receiver.abandon(
                            CallRefusal.invalid("parts.last", "the stream ended before the block's last part"))) {
                continue;
            }
            if (over && results.isEmpty()) {
                return true;
            }
            if (over || results.isFull()) {
                input.await();
            } else if (!takeIn()) {
                waitForMore();
            }
        }
        return false;
    }

    /**
     * Waits until anything happens. A message or a block that has begun to arrive holds memory, so it must arrive in
     * time.
     */
    private void waitForMore() throws InterruptedException {
        Duration left = receiver.blockWithin(stall);
        Duration message = input.arrivingWithin(stall);
        if (left == null || (message != null && message.compareTo(left) < 0)) {
            left = message;
        }
        if (left == null) {
            awaitAnything();
            return;
        }
        long since = System.nanoTime();
        boolean happened = left.isPositive() && awaitClient(left);
        receiver.waited(System.nanoTime() - since);
        if (!happened) {
            endingRefusal = CallRefusal.of(
                    Code.DEADLINE_EXCEEDED,
                    "the rest of a block did not arrive in " + stall + " and a second for each MiB it has");
        }
    }

    /** Waits for the client. While blocks are being stored the call keeps its slot. */
    private boolean awaitClient(Duration patience) throws InterruptedException {
        return results.isEmpty() ? input.awaitClient(patience) : input.await(patience);
    }

    private void awaitAnything() throws InterruptedException {
        if (results.isEmpty()) {
            input.awaitIdle();
        } else {
            input.await();
        }
    }

    /** Takes in the next message; false if nothing has arrived. */
    private boolean takeIn() throws InterruptedException {
        endingRefusal = input.closing();
        if (endingRefusal != null) {
            return true;
        }
        Received<StreamingWriteRequest> request = null;
        try {
            request = input.poll();
            if (request == null) {
                return false;
            }
            String flaw = request.flaw();
            if (flaw != null) {
                throw CallRefusal.invalid("request", flaw);
            }
            receiver.receive(request.message());
        } catch (CallRefusal refusal) {
            endingRefusal = refusal;
        } finally {
            if (request != null) {
                input.done(request);
            }
        }
        return true;
    }
}
