package dev.kvstore.simulation.fleet;

/** What happens to calls on the way from one host to another. */
public enum WayTrouble {
    /** They arrive nowhere, and nobody notices before their deadline. */
    LOST,
    /** They are done, and their answers do not come back. */
    UNANSWERED,
    /** They arrive a second time, later: for calls of one message. */
    DOUBLED,
    /** They arrive seconds later, and so in another order. */
    LATE
}
