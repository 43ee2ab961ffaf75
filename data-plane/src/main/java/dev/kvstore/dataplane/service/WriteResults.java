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
    private final Inbox<?> inbox;
    private final BlockWriter writer;
    private final Executor executor;
    private final Duration patience;
    private final Stall stall;
    private final Deque<CompletableFuture<WriteResult>> results = new ArrayDeque<>();

    WriteResults(
            ServerCall<?, StreamingWriteResponse> call,
            Inbox<?> inbox,
            BlockWriter writer,
            Executor executor,
            Duration patience,
            Stall stall) {
        this.call = call;
        this.inbox = inbox;
        this.writer = writer;
        this.executor = executor;
        this.patience = patience;
        this.stall = stall;
    }

    /** Stores a complete block, which passes to this. */
    void store(int index, Draft draft) {
        CompletableFuture<WriteResult> result = new CompletableFuture<>();
        results.addLast(result);
        executor.execute(() -> {
            result.complete(outcome(index, draft));
            inbox.wake();
        });
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, the client is told
    private WriteResult outcome(int index, Draft draft) {
        WriteResult.Builder result = WriteResult.newBuilder().setIndex(index);
        try {
            WriteResponse stored = writer.store(draft);
            return result.setWrite(stored).build();
        } catch (Exception | Error e) {
            Refusal refusal = Failures.refusal(e, draft.grant().account().resourceName());
            return result.setStatus(refusal.status()).build();
        } finally {
            draft.release();
        }
    }

    /** Notes that a block will not be stored. */
    void refuse(int index, Refusal refusal) {
        results.addLast(CompletableFuture.completedFuture(WriteResult.newBuilder()
                .setIndex(index)
                .setStatus(refusal.status())
                .build()));
    }

    /** As many blocks are on their way as one stream may have. */
    boolean isFull() {
        return results.size() >= Limits.STREAM_STORES;
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    /** Sends what is decided. False when the client was cut off. */
    boolean send() throws InterruptedException {
        StreamingWriteResponse.Builder message = StreamingWriteResponse.newBuilder();
        for (CompletableFuture<WriteResult> first = results.peekFirst();
                first != null && first.isDone() && message.getResultsCount() < Limits.MESSAGE_RESULTS;
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
