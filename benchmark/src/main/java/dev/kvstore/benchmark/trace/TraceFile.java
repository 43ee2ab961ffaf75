package dev.kvstore.benchmark.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file in the form in which Mooncake publishes its traces: a JSON object a line, with the whole numbers
 * {@code timestamp} (milliseconds), {@code input_length} and {@code output_length} (tokens), and {@code hash_ids}, a
 * list of them.
 *
 * @param skipBroken whether lines that are no requests are left out, rather than an error
 */
public record TraceFile(Path file, boolean skipBroken) implements Trace {
    /**
     * @throws IllegalArgumentException if there is no such file
     */
    public TraceFile {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("--trace: "
                    + (Files.exists(file) ? file + " is not a regular file" : "there is no " + file)
                    + "; name a trace (one JSON object a line, as Mooncake publishes them), or leave the flag out");
        }
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("--trace: " + file + " cannot be read; give this user the right to");
        }
    }

    @Override
    public String source() {
        return "trace " + file;
    }

    @Override
    public Requests open() throws IOException {
        return new RequestLines(file, UserFile.open(file), skipBroken);
    }
}
