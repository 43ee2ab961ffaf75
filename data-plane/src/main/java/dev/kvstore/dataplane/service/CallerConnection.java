package dev.kvstore.dataplane.service;

import io.grpc.Attributes;

/** The connection of a call, as far as the identity of its caller matters. Thread-safe; never waits. */
public interface CallerConnection {
    /** The attribute in which a call has its connection. */
    Attributes.Key<CallerConnection> OF_CALL = Attributes.Key.create("kvstore.connection");

    /** Where it comes from: equal for connections whose shares are counted together. */
    Object origin();

    /**
     * A call on it has shown a good key, or proved to be a peer's.
     *
     * @return false if there are as many such connections as there may be: this one is about to be closed
     */
    boolean admit();

    /** Whether {@link #admit} was true once. */
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
    InboundMeter.HeldBytes held();
}
