package dev.kvstore.simulation.fleet;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;

/** A call of one message, and a second call with the same message, whose answer nobody gets. */
final class DoubledCall<Q, R> extends SimpleForwardingClientCall<Q, R> {
    private final ClientCall<Q, R> second;

    DoubledCall(ClientCall<Q, R> first, ClientCall<Q, R> second) {
        super(first);
        this.second = second;
    }

    @Override
    public void start(Listener<R> listener, Metadata headers) {
        Metadata copy = new Metadata();
        copy.merge(headers);
        super.start(listener, headers);
        second.start(new Listener<>() {}, copy);
        second.request(2);
    }

    @Override
    public void sendMessage(Q message) {
        super.sendMessage(message);
        second.sendMessage(message);
    }

    @Override
    public void halfClose() {
        super.halfClose();
        second.halfClose();
    }
}
