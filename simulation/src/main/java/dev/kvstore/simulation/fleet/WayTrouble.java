package dev.kvstore.simulation.fleet;

/** A trouble of calls on their way from one host to another. */
public enum WayTrouble {
    /** The calls arrive nowhere, and nobody notices before their deadline. */
    LOST,
    /** The calls are done, and their answers do not come back. */
    UNANSWERED,
    /** The calls arrive a second time, later, if they have one message. */
    DOUBLED,
    /** The calls arrive seconds later, and so in another order. */
    LATE
}
