package dev.kvstore.control.transport;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Refuses calls of a kind of which there are enough, before their messages are read. Thread-safe. */
final class CallLimits implements ServerInterceptor {
    private final Map<CallKind, Semaphore> places = new EnumMap<>(CallKind.class);

    CallLimits() {
        for (CallKind kind : CallKind.values()) {
            places.put(kind, new Semaphore(kind.open()));
        }
    }

    /** A place that is given back once, however a call ends. */
    private record CallPermit(Semaphore of, AtomicBoolean taken) {
        void giveBack() {
            if (taken.getAndSet(false)) {
                of.release();
            }
        }
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        CallKind kind = CallKind.of(call.getMethodDescriptor().getFullMethodName());
        Semaphore of = places.getOrDefault(kind, new Semaphore(0));
        if (!of.tryAcquire()) {
            var refusal = Exhausted.because("too many calls of this kind are open");
            Metadata trailers = Status.trailersFromThrowable(refusal);
            call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
            return new ServerCall.Listener<>() {};
        }
        CallPermit place = new CallPermit(of, new AtomicBoolean(true));
        boolean started = false;
        try {
            ServerCall.Listener<Q> listener = next.startCall(closing(call, place), headers);
            started = true;
            return ending(listener, place);
        } finally {
            if (!started) {
                place.giveBack();
            }
        }
    }

    private static <Q, R> ServerCall<Q, R> closing(ServerCall<Q, R> call, CallPermit place) {
        return new SimpleForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
                place.giveBack();
                super.close(status, trailers);
            }
        };
    }

    private static <Q> ServerCall.Listener<Q> ending(ServerCall.Listener<Q> listener, CallPermit place) {
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onCancel() {
                place.giveBack();
                super.onCancel();
            }

            @Override
            public void onComplete() {
                place.giveBack();
                super.onComplete();
            }
        };
    }
}
