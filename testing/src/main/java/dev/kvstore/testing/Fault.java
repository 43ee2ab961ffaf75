package dev.kvstore.testing;

/**
 * A fault that a {@link FaultProxy} injects: into one request in twenty, except for {@link #NONE} and {@link #LATENCY}.
 */
public enum Fault {
    /** No fault: requests and answers pass. */
    NONE,
    /** The connection is reset: before the request is passed on, or in the middle of its answer. */
    RESET,
    /** The proxy answers 500, as if the service had failed. */
    ERROR,
    /** The proxy answers 503 with {@code Retry-After: 1}, like a service that is too busy. */
    THROTTLE,
    /** The answer comes late by the proxy's stall. */
    STALL,
    /** Half of the answer's body comes, then the connection ends; an answer without a body does not come at all. */
    TRUNCATE,
    /** Every request is late: by 20 ms, a write by 40 ms. */
    LATENCY
}
