package dev.kvstore.dataplane.service;

import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.v1.WriteResult;
import io.grpc.ServerCall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The blocks of one stream on their way into storage, and their results in the order they came. For one thread. */
final class WriteResults {
    private final ServerCall<?, StreamingWriteResponse> call;
    private final CallInput<?> inbox;
    private final BlockIngest writer;
    private final Executor executor;
    private final Duration patience;
    private final StalledClientReset stall;
    private final Deque<CompletableFuture<WriteResult>> results = new ArrayDeque<>();

    WriteResults(
            ServerCall<?, StreamingWriteResponse> call,
            CallInput<?> inbox,
            BlockIngest writer,
            Executor executor,
            Duration patience,
            StalledClientReset stall) {
        this.call = call;
        this.inbox = inbox;
        this.writer = writer;
        this.executor = executor;
        this.patience = patience;
        this.stall = stall;
    }

    /** Stores a complete block, which passes to this. */
    void store(int index, IncomingBlock draft) {
        CompletableFuture<WriteResult> result = new CompletableFuture<>();
        results.addLast(result);
        executor.execute(() -> {
            result.complete(outcome(index, draft));
            inbox.wake();
        });
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, the client is told
    private WriteResult outcome(int index, IncomingBlock draft) {
        WriteResult.Builder result = WriteResult.newBuilder().setIndex(index);
        try {
            WriteResponse stored = writer.store(draft);
            return result.setWrite(stored).build();
        } catch (Exception | Error e) {
            CallRefusal refusal =
                    CallFailures.refusal(e, draft.grant().account().resourceName());
            return result.setStatus(refusal.status()).build();
        } finally {
            draft.release();
        }
    }

    /** Notes that a block will not be stored. */
    void refuse(int index, CallRefusal refusal) {
        results.addLast(CompletableFuture.completedFuture(WriteResult.newBuilder()
                .setIndex(index)
                .setStatus(refusal.status())
                .build()));
    }

    /** Whether as many blocks are on their way as one stream may have. */
    boolean isFull() {
        return results.size() >= ServiceLimits.STREAM_STORES;
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    /** Sends the results that are decided. False when the client was cut off. */
    boolean send() throws InterruptedException {
        StreamingWriteResponse.Builder message = StreamingWriteResponse.newBuilder();
        for (CompletableFuture<WriteResult> first = results.peekFirst();
                first != null && first.isDone() && message.getResultsCount() < ServiceLimits.MESSAGE_RESULTS;
                first = results.peekFirst()) {
            message.addResults(results.removeFirst().join());
        }
        if (message.getResultsCount() == 0) {
            return true;
        }
        if (!inbox.awaitReady(patience)) {
            stall.cancel(patience);
            return false;
        }
        if (!inbox.isCancelled()) {
            call.sendMessage(message.build());
        }
        inbox.wake(); // there may be more
        return true;
    }
}
