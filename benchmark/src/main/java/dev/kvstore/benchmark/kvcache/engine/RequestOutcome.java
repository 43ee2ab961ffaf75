package dev.kvstore.benchmark.kvcache.engine;

import java.util.Locale;

/** The outcome of a request that was meant to arrive in the window; each request has exactly one. */
public enum RequestOutcome {
    /** It was answered in the window. */
    COMPLETED,
    /** It was answered after the window. */
    LATE,
    /** It was not answered before the run ended. */
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
