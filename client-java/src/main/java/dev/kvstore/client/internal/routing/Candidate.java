package dev.kvstore.client.internal.routing;

/** A data plane that an operation may go to. */
public interface Candidate {
    /** The seed, stable over restarts: {@link Rendezvous#seed(String)} of the data plane's name. */
    long seed();

    /** The number of operations and streams of this client that are open at the data plane. */
    int inFlight();

    Health health();
}
