package dev.kvstore.simulation.fleet;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Collects the messages of a stream, and gives them when the stream has ended. */
final class Answers<R> implements StreamObserver<R> {
    private final List<R> messages = new ArrayList<>();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    @Override
    public void onNext(R message) {
        messages.add(message);
    }

    @Override
    public void onError(Throwable failure) {
        ended.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
        ended.complete(null);
    }

    /** The messages so far, even if the stream failed afterwards. */
    List<R> arrived() {
        return messages;
    }

    /**
     * Waits for the end of the stream.
     *
     * @throws StatusRuntimeException if the stream failed, or the wait was interrupted
     */
    void await() {
        try {
            ended.get();
        } catch (ExecutionException e) {
            throw Status.fromThrowable(e.getCause()).asRuntimeException();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Status.CANCELLED.asRuntimeException();
        }
    }
}
