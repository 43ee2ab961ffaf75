package dev.kvstore.client.routing;

/** A process as the choice sees it. */
public interface Candidate {
    /** Stable over restarts: {@link Rendezvous#seed(String)} of its name. */
    long seed();

    /** Operations and streams of this client that are under way there. */
    int inFlight();

    Health health();
}
