package dev.kvstore.benchmark.trace;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A reading of a trace, from its first request on. For one thread. */
public interface Requests extends Closeable {
    /**
     * The next request, its time no earlier than that of the one before; null after the last.
     *
     * @throws BrokenLineException if there is something else in its place; the reading may go on behind it
     */
    @Nullable
    TraceRequest next() throws IOException;

    /** How many broken lines were left out so far. */
    long skipped();

    @Override
    void close() throws IOException;
}
