package dev.kvstore.simulation.fleet;

import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.grpc.ClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call that is sent on its way later; its messages wait until then. For the thread of its world. */
final class TroubledCall<Q, R> extends ClientCall<Q, R> {
    private final ClientCall<Q, R> call;
    private final boolean isAnswered;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean isOnItsWay;

    /** @param isAnswered whether the caller gets the answer; if not, the caller hears that the connection is gone */
    TroubledCall(ClientCall<Q, R> call, boolean isAnswered) {
        this.call = call;
        this.isAnswered = isAnswered;
    }

    /** Sends the call on its way after a time. */
    TroubledCall<Q, R> after(World world, SimulatedHost host, long nanos) {
        var _ = world.alarm(host, nanos, () -> host.execute(this::begin));
        return this;
    }

    /** Sends the call on its way now. */
    void begin() {
        isOnItsWay = true;
        List<Runnable> first = List.copyOf(waiting);
        waiting.clear();
        first.forEach(Runnable::run);
    }

    private void then(Runnable step) {
        if (isOnItsWay) {
            step.run();
        } else {
            waiting.add(step);
        }
    }

    @Override
    public void start(Listener<R> listener, Metadata headers) {
        then(() -> call.start(isAnswered ? listener : new UnansweredListener<>(listener), headers));
    }

    @Override
    public void request(int messages) {
        then(() -> call.request(messages));
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        then(() -> call.cancel(message, cause));
    }

    @Override
    public void halfClose() {
        then(call::halfClose);
    }

    @Override
    public void sendMessage(Q message) {
        then(() -> call.sendMessage(message));
    }

    private static final class UnansweredListener<R> extends SimpleForwardingClientCallListener<R> {
        UnansweredListener(ClientCall.Listener<R> listener) {
            super(listener);
        }

        @Override
        public void onHeaders(Metadata headers) {}

        @Override
        public void onMessage(R message) {}

        @Override
        public void onClose(Status status, Metadata trailers) {
            super.onClose(Status.UNAVAILABLE.withDescription("the connection is gone"), new Metadata());
        }
    }
}
