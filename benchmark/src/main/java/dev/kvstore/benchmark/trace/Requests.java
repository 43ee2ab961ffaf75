package dev.kvstore.benchmark.trace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A reading of a trace, from its first request on. For one thread. */
public interface Requests extends Closeable {
    /** A line of a trace is no request. The message names the file and the line. */
    final class BrokenLineException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        BrokenLineException(Path file, long line, String flaw) {
            super(file + ": line " + line + " " + flaw);
        }
    }

    /**
     * The next request, its time no earlier than that of the one before; null after the last.
     *
     * @throws BrokenLineException if there is something else in its place; the reading may go on behind it
     */
    @Nullable
    TraceRequest next() throws IOException;

    /** How many broken lines were left out so far. */
    default long skipped() {
        return 0;
    }

    @Override
    default void close() throws IOException {
        // Nothing is held that would have to be given back.
    }
}
