package dev.kvstore.listener;

import io.grpc.Attributes;
import io.grpc.ServerCall;

/** The connection of a call, as far as the identity of its caller matters. Thread-safe; never waits. */
public interface CallerConnection {
    /** The attribute of a call with its connection. */
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

    /** The origin of the connection: equal for connections whose shares are counted together. */
    Object origin();

    /**
     * Notes that a call on the connection has shown a good credential.
     *
     * @param holder the holder for which the connection counts from now on, unless it was admitted before
     * @return false if there are as many such connections as there may be: then this one is about to be closed
     */
    boolean admit(Object holder);

    /** Admits the connection like {@link #admit(Object)}, with its address as the holder. */
    default boolean admit() {
        return admit(origin());
    }

    /** Notes that a call without a key was answered on the connection. */
    void answered();

    /**
     * Notes that a call on the connection was refused for its key; a connection that has only such calls is closed
     * after a number of them.
     */
    void refused();

    /**
     * Tells the client, once, to make another connection, which a load balancer leads elsewhere, since this process
     * takes no new calls. The calls of this connection go on.
     */
    void sendElsewhere();

    /** The bytes of messages that the connection's calls hold. */
    HeldBytes held();
}
