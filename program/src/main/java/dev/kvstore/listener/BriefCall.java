package dev.kvstore.listener;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A call with one short request. It is ended if the request is too long or does not arrive in time, whatever deadline
 * its client gave. Thread-safe.
 */
public final class BriefCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
    /**
     * The most bytes and the longest time of a call of a service.
     *
     * @param bytes the bytes of the longest request, if the listener has {@link BriefMessages}
     * @param time that the request may take to arrive, from the call's headers on
     * @param withAnswer whether a unary call has this time in all
     */
    public record CallBounds(int bytes, Duration time, boolean withAnswer) {}

    private final AtomicBoolean closed = new AtomicBoolean();
    private final CallBounds bounds;
    private final Runnable ended;

    private BriefCall(ServerCall<Q, R> call, CallBounds bounds, Runnable ended) {
        super(call);
        this.bounds = bounds;
        this.ended = ended;
    }

    /**
     * Starts a call.
     *
     * @param whenEnded called if the call broke a bound
     */
    public static <Q, R> BriefCallListener<Q, R> start(
            ServerCall<Q, R> call,
            Metadata headers,
            ServerCallHandler<Q, R> next,
            CallBounds bounds,
            Runnable whenEnded) {
        BriefCall<Q, R> brief = new BriefCall<>(call, bounds, whenEnded);
        BriefMessages messages = BriefMessages.current();
        if (messages != null) {
            messages.limit(
                    bounds.bytes(),
                    () -> brief.end(Status.RESOURCE_EXHAUSTED.withDescription(
                            "the request: at most " + bounds.bytes() + " bytes are accepted here")));
        }
        Timeout late = CoarseTimer.in(bounds.time(), brief::late);
        return new BriefCallListener<>(next.startCall(brief, headers), brief, late);
    }

    private void late() {
        end(Status.DEADLINE_EXCEEDED.withDescription(
                (bounds.withAnswer() ? "the call did not end in " : "the request did not arrive in ")
                        + bounds.time().toSeconds() + " s"));
    }

    /** Ends the call, unless it has ended. */
    void end(Status refusal) {
        if (!closed.getAndSet(true)) {
            ended.run();
            super.close(refusal, new Metadata());
        }
    }

    @Override
    public void sendHeaders(Metadata headers) {
        if (!closed.get()) {
            super.sendHeaders(headers);
        }
    }

    @Override
    public void sendMessage(R message) {
        if (!closed.get()) {
            super.sendMessage(message);
        }
    }

    @Override
    public void close(Status status, Metadata trailers) {
        if (!closed.getAndSet(true)) {
            super.close(status, trailers);
        }
    }

    /** Receives the transport's events of a brief call. */
    public static final class BriefCallListener<Q, R> extends SimpleForwardingServerCallListener<Q> {
        private final BriefCall<Q, R> call;
        private final Timeout late;

        private BriefCallListener(ServerCall.Listener<Q> listener, BriefCall<Q, R> call, Timeout late) {
            super(listener);
            this.call = call;
            this.late = late;
        }

        BriefCall<Q, R> call() {
            return call;
        }

        @Override
        public void onHalfClose() {
            if (!call.bounds.withAnswer()
                    || call.getMethodDescriptor().getType() != MethodDescriptor.MethodType.UNARY) {
                late.cancel();
            }
            if (!call.closed.get()) {
                super.onHalfClose();
            }
        }

        @Override
        public void onComplete() {
            late.cancel();
            super.onComplete();
        }

        @Override
        public void onCancel() {
            late.cancel();
            super.onCancel();
        }
    }
}
