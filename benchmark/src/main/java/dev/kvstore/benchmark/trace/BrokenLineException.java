package dev.kvstore.benchmark.trace;

import java.nio.file.Path;

/** A line of a trace is no request. The message names the file and the line. */
public final class BrokenLineException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    BrokenLineException(Path file, long line, String flaw) {
        super(file + ": line " + line + " " + flaw);
    }
}
