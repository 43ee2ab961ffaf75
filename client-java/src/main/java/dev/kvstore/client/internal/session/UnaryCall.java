package dev.kvstore.client.internal.session;

import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.Attempt;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.client.internal.Operation;
import dev.kvstore.protocol.wire.Received;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A call with one request and one answer. The memory of an answer that comes too late is given back. */
final class UnaryCall<Q, R> extends ClientCall.Listener<R> {
    private final CompletableFuture<R> answer = new CompletableFuture<>();
    private @Nullable R message;

    UnaryCall() {}

    /** Makes calls with a short answer until one succeeds or the operation gives up. */
    static <Q, R> R run(Operation operation, MethodDescriptor<Q, R> method, Q request) {
        return run(operation, attempt -> attempt.call(method), request);
    }

    /** Makes calls until one succeeds or the operation gives up. */
    static <Q, R> R run(Operation operation, Function<Attempt, ClientCall<Q, R>> start, Q request) {
        while (true) {
            Attempt attempt = operation.begin();
            try {
                R answer = new UnaryCall<Q, R>().await(start.apply(attempt), request);
                attempt.succeeded();
                return answer;
            } catch (KvStoreException e) {
                operation.retryOrThrow(attempt, e);
            } catch (OutOfMemoryError e) {
                throw attempt.failed(Errors.broken("a call", e));
            }
        }
    }

    R await(ClientCall<Q, R> call, Q request) {
        call.start(this, new Metadata());
        try {
            call.request(2); // room for one message, and for noticing a second
            call.sendMessage(request);
            call.halfClose();
            return answer.get();
        } catch (InterruptedException e) {
            abandon(call, e);
            throw Errors.interrupted();
        } catch (RuntimeException | Error e) {
            abandon(call, e);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KvStoreException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Waits until the call has ended, since its request may lend the caller's memory. */
    private void abandon(ClientCall<Q, R> call, Throwable cause) {
        call.cancel("nobody waits for the answer", cause);
        discard(answer.handle((arrived, failure) -> arrived).join());
    }

    @Override
    public void onMessage(R arrived) {
        if (message != null) {
            discard(arrived);
            return;
        }
        message = arrived;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        R arrived = message;
        if (status.isOk() && arrived != null) {
            if (!answer.complete(arrived)) {
                discard(arrived);
            }
            return;
        }
        answer.completeExceptionally(
                status.isOk() ? Errors.internal("the server sent no answer") : Errors.of(status, trailers));
        discard(arrived);
    }

    private static void discard(@Nullable Object message) {
        if (message instanceof Received<?> received) {
            received.close();
        }
    }
}
