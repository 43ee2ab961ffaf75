package dev.kvstore.testing;

/**
 * The fault that a {@link FaultProxy} puts into requests: into one in twenty, except for {@link #NONE} and
 * {@link #LATENCY}.
 */
public enum Fault {
    /** Nothing: requests and answers pass. */
    NONE,
    /** The connection is reset: before the request is passed on, or in the middle of its answer. */
    RESET,
    /** Answered 500, as if the service had failed. */
    ERROR,
    /** Answered 503 with {@code Retry-After: 1}, as a service does that is too busy. */
    THROTTLE,
    /** The answer comes late by the proxy's stall. */
    STALL,
    /** Half of the answer's body comes, then the connection ends; an answer without body does not come at all. */
    TRUNCATE,
    /** Every request is late: by 20 ms, one that writes by 40 ms. */
    LATENCY
}
