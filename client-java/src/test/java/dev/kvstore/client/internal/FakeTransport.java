package dev.kvstore.client.internal;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A channel that connects to nothing: a test says what its calls hear. */
final class FakeTransport extends ManagedChannel {
    /** A call, and what it was told. */
    static final class TransportCall<Q, R> extends ClientCall<Q, R> {
        final String method;
        final boolean refused;
        ClientCall.@Nullable Listener<R> listener;
        boolean cancelled;

        /** The fault that the next sent message meets. */
        @Nullable
        Error failure;

        TransportCall(String method, boolean refused) {
            this.method = method;
            this.refused = refused;
        }

        @Override
        public void start(Listener<R> responses, Metadata headers) {
            listener = responses;
            if (refused) {
                responses.onClose(Status.UNAVAILABLE, new Metadata());
            }
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            if (!cancelled) {
                cancelled = true;
                end(Status.CANCELLED);
            }
        }

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {
            if (failure != null) {
                throw failure;
            }
        }

        void headers() {
            if (listener != null) {
                listener.onHeaders(new Metadata());
            }
        }

        void end(Status status) {
            if (listener != null) {
                listener.onClose(status, new Metadata());
            }
        }
    }

    final List<TransportCall<?, ?>> calls = new CopyOnWriteArrayList<>();
    boolean shutdown;

    /** The calls of a method, in order; its name without the service's. */
    List<TransportCall<?, ?>> calls(String method) {
        return calls.stream().filter(call -> call.method.endsWith("/" + method)).toList();
    }

    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
        TransportCall<Q, R> call = new TransportCall<>(method.getFullMethodName(), shutdown);
        calls.add(call);
        return call;
    }

    @Override
    public ManagedChannel shutdown() {
        shutdown = true;
        return this;
    }

    @Override
    public ManagedChannel shutdownNow() {
        return shutdown();
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return shutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return shutdown;
    }

    @Override
    public String authority() {
        return "fake";
    }
}
