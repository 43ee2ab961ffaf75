package dev.kvstore.listener;

import io.grpc.Attributes;
import io.grpc.ServerCall;

/** The connection of a call, as far as the identity of its caller matters. Thread-safe; never waits. */
public interface CallerConnection {
    /** The attribute in which a call has its connection. */
    Attributes.Key<CallerConnection> OF_CALL = Attributes.Key.create("kvstore.connection");

    /**
     * The connection of a call.
     *
     * @throws IllegalStateException if the listener did not count it
     */
    static CallerConnection of(ServerCall<?, ?> call) {
        CallerConnection caller = call.getAttributes().get(OF_CALL);
        if (caller == null) {
            throw new IllegalStateException("a call on a connection that was not counted");
        }
        return caller;
    }

    /** Where it comes from: equal for connections whose shares are counted together. */
    Object origin();

    /**
     * A call on it has shown a good credential.
     *
     * @param holder for whom the connection counts from now on, unless it was admitted before
     * @return false if there are as many such connections as there may be: this one is about to be closed
     */
    boolean admit(Object holder);

    /** As {@link #admit(Object)}, for the address that it comes from. */
    default boolean admit() {
        return admit(origin());
    }

    /** Whether {@link #admit(Object)} was true once. */
    boolean isAdmitted();

    /** A call on it that needs no key was answered. */
    void answered();

    /** A call on it was refused for its key; a connection that has only such calls is closed after a number of them. */
    void refused();

    /**
     * This process takes no new calls: the client is told, once, to make another connection, which a load balancer
     * leads elsewhere. The calls of this one go on.
     */
    void sendElsewhere();

    /** Bytes of messages that its calls hold. */
    HeldBytes held();
}
