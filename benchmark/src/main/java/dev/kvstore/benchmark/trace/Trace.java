package dev.kvstore.benchmark.trace;

import java.io.IOException;

/** Requests that can be read as often as one likes, each time the same. Immutable. */
public sealed interface Trace permits TraceFile, GeneratedTrace {
    /** The name of the trace, for people. */
    String source();

    /** Reads it from its first request on; nothing of it is kept in memory meanwhile. */
    Requests open() throws IOException;
}
