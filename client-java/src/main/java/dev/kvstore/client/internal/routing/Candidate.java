package dev.kvstore.client.internal.routing;

/** A data plane that an operation may go to. */
public interface Candidate {
    /** Stable over restarts: {@link Rendezvous#seed(String)} of its name. */
    long seed();

    /** Operations and streams of this client that are open there. */
    int inFlight();

    Health health();
}
