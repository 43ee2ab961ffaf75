package dev.kvstore.benchmark.kvcache.engine;

import java.util.Locale;

/** The outcome of a request that was meant to arrive in the window; each request has exactly one. */
public enum RequestOutcome {
    /** The request was answered in the window. */
    COMPLETED,
    /** The request was answered after the window. */
    LATE,
    /** The run ended before the request was answered. */
    ABANDONED,
    /** There was no room for it in the queue. */
    REFUSED,
    /** A tier could not read or write for it, or gave it wrong bytes. */
    FAILED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
