package dev.kvstore.client.internal;

import dev.kvstore.testing.Patience;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A channel that connects to nothing: a test says what its calls hear. */
public final class FakeTransport extends ManagedChannel {
    /** A call, and what it was told. */
    public static final class TransportCall<Q, R> extends ClientCall<Q, R> {
        final String method;
        final boolean refused;
        private final Consumer<TransportCall<?, ?>> begun;
        private final BlockingQueue<Q> sent = new LinkedBlockingQueue<>();
        private final AtomicInteger requested = new AtomicInteger();
        private final AtomicInteger halfCloses = new AtomicInteger();
        private final CompletableFuture<@Nullable Void> finished = new CompletableFuture<>();
        private final CompletableFuture<@Nullable Void> refusedRoom = new CompletableFuture<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile boolean ready = true;
        volatile ClientCall.@Nullable Listener<R> listener;
        volatile boolean cancelled;

        /** The fault that the next sent message meets. */
        @Nullable
        Error failure;

        TransportCall(String method, boolean refused, Consumer<TransportCall<?, ?>> begun) {
            this.method = method;
            this.refused = refused;
            this.begun = begun;
        }

        @Override
        public void start(Listener<R> responses, Metadata headers) {
            listener = responses;
            if (refused) {
                responses.onClose(Status.UNAVAILABLE, new Metadata());
            } else {
                begun.accept(this);
            }
        }

        @Override
        public void request(int messages) {
            requested.addAndGet(messages);
        }

        @Override
        public boolean isReady() {
            boolean now = ready;
            if (!now) {
                refusedRoom.complete(null);
            }
            return now;
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            if (!cancelled) {
                cancelled = true;
                end(Status.CANCELLED);
            }
        }

        @Override
        public void halfClose() {
            halfCloses.incrementAndGet();
            finished.complete(null);
        }

        @Override
        public void sendMessage(Q message) {
            if (failure != null) {
                throw failure;
            }
            sent.add(message);
        }

        /** The next message that is sent, as soon as there is one. */
        public Q nextSent() throws InterruptedException {
            Q message = sent.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("no message was sent");
            }
            return message;
        }

        /** The next message that was sent; null if there is none. */
        public @Nullable Q pollSent() {
            return sent.poll();
        }

        /** The messages that were requested so far. */
        public int requested() {
            return requested.get();
        }

        public int halfCloses() {
            return halfCloses.get();
        }

        /** Waits until nothing more will be sent. */
        public void awaitHalfClose() throws Exception {
            finished.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }

        /** Has the next sent message meet a fault. */
        public void failNext(Error fault) {
            failure = fault;
        }

        /** Waits until the caller has asked for room and got none. */
        public void awaitRefusedRoom() throws Exception {
            refusedRoom.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }

        public boolean isOver() {
            return over.get();
        }

        public boolean isCancelled() {
            return cancelled;
        }

        /** Sets whether there is room for a message; the listener hears of new room. */
        public void room(boolean now) {
            ready = now;
            ClientCall.Listener<R> heard = listener;
            if (now && heard != null) {
                heard.onReady();
            }
        }

        public void answer(R message) {
            ClientCall.Listener<R> heard = listener;
            if (heard != null) {
                heard.onMessage(message);
            }
        }

        void headers() {
            ClientCall.Listener<R> heard = listener;
            if (heard != null) {
                heard.onHeaders(new Metadata());
            }
        }

        /** Ends the call, once. */
        public void end(Status status) {
            ClientCall.Listener<R> heard = listener;
            if (heard != null && over.compareAndSet(false, true)) {
                heard.onClose(status, new Metadata());
            }
        }
    }

    final List<TransportCall<?, ?>> calls = new CopyOnWriteArrayList<>();
    private final Consumer<TransportCall<?, ?>> begun;
    boolean shutdown;

    public FakeTransport() {
        this(call -> {});
    }

    /** @param begun gets each call as soon as it has a listener */
    FakeTransport(Consumer<TransportCall<?, ?>> begun) {
        this.begun = begun;
    }

    /** The calls of a method, in order; its name without the service's. */
    List<TransportCall<?, ?>> calls(String method) {
        return calls.stream().filter(call -> call.method.endsWith("/" + method)).toList();
    }

    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
        TransportCall<Q, R> call = new TransportCall<>(method.getFullMethodName(), shutdown, begun);
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
