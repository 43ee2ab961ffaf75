package dev.kvstore.dataplane.service;

import com.google.rpc.Code;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** gRPC's own health service: it is asked without a key, and so only so many may ask at a time. Thread-safe. */
final class HealthCalls {
    static final String SERVICE = "grpc.health.v1.Health";

    /** Every client and every probe of a large cluster, watching. */
    static final int LIMIT = 1_000;

    private final AtomicInteger open = new AtomicInteger();

    <Q, R> ServerCall.Listener<Q> start(ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (open.incrementAndGet() > LIMIT) {
            open.decrementAndGet();
            Failures.close(
                    call, Refusal.of(Code.RESOURCE_EXHAUSTED, "health is asked for by " + LIMIT + " others already"));
            return new ServerCall.Listener<>() {};
        }
        AtomicBoolean over = new AtomicBoolean();
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            @Override
            public void onComplete() {
                leave();
                super.onComplete();
            }

            @Override
            public void onCancel() {
                leave();
                super.onCancel();
            }

            private void leave() {
                if (!over.getAndSet(true)) {
                    open.decrementAndGet();
                }
            }
        };
    }
}
