package dev.kvstore.benchmark.trace;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say which requests are replayed, for commands to mix in. */
public final class TraceOptions {
    /** Where the shared trace lies, from the project's folder. */
    public static final String SHARED = "../shared/traces/mooncake-fast25-conversation.jsonl";

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Requests, a JSON object a line with timestamp, input_length, output_length and hash_ids, as"
                    + " Mooncake publishes them. Default: " + SHARED + " beside the project; where that is absent,"
                    + " requests of the same statistics are generated.")
    private @Nullable Path file;

    @Option(
            names = "--skip-broken",
            description =
                    "Leaves out lines of the trace that are no requests, and says how many, rather than refuse it.")
    private boolean skipBroken;

    /**
     * The trace that was asked for.
     *
     * @param home the project's folder
     * @param seed of what is generated, if the shared one is absent
     * @throws IllegalArgumentException if there is no such file
     */
    public Trace trace(Path home, long seed) {
        if (file != null) {
            return new TraceFile(file, skipBroken);
        }
        Path shared = home.resolve(SHARED).normalize();
        return Files.isRegularFile(shared) ? new TraceFile(shared, skipBroken) : new GeneratedTrace(seed);
    }
}
