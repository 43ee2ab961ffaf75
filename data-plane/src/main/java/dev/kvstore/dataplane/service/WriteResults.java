package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.call.CallFailures;
import dev.kvstore.dataplane.call.CallInput;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.call.StalledClientReset;
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
    private final CallInput<?> input;
    private final BlockIngest ingest;
    private final Executor executor;
    private final Duration patience;
    private final StalledClientReset reset;
    private final Deque<CompletableFuture<WriteResult>> results = new ArrayDeque<>();

    WriteResults(
            ServerCall<?, StreamingWriteResponse> call,
            CallInput<?> input,
            BlockIngest ingest,
            Executor executor,
            Duration patience,
            StalledClientReset reset) {
        this.call = call;
        this.input = input;
        this.ingest = ingest;
        this.executor = executor;
        this.patience = patience;
        this.reset = reset;
    }

    /** Stores a complete block, which passes to this. */
    void store(int index, IncomingBlock incoming) {
        CompletableFuture<WriteResult> result = new CompletableFuture<>();
        results.addLast(result);
        executor.execute(() -> {
            result.complete(outcome(index, incoming));
            input.wake();
        });
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, the client is told
    private WriteResult outcome(int index, IncomingBlock incoming) {
        WriteResult.Builder result = WriteResult.newBuilder().setIndex(index);
        try {
            WriteResponse stored = ingest.store(incoming);
            return result.setWrite(stored).build();
        } catch (Exception | Error e) {
            CallRefusal refusal =
                    CallFailures.refusal(e, incoming.grant().account().resourceName());
            return result.setStatus(refusal.status()).build();
        } finally {
            incoming.release();
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
        if (!input.awaitReady(patience)) {
            reset.cancel(patience);
            return false;
        }
        if (!input.isCancelled()) {
            call.sendMessage(message.build());
        }
        input.wake(); // there may be more
        return true;
    }
}
