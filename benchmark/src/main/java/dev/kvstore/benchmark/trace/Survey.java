package dev.kvstore.benchmark.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The content of a trace, with the names that the JSON has; found by reading the whole trace before its use.
 *
 * @param source which trace
 * @param requests that will be used, 1 or more
 * @param blocks of them all
 * @param seconds from the first to the last of them
 * @param skippedLines that were no requests
 */
public record Survey(String source, long requests, long blocks, double seconds, long skippedLines) {
    private static final int NAMED = 5;
    private static final double MILLIS = 1e3;

    /**
     * Reads as far as it will be used.
     *
     * @param most requests to use; the rest is not read
     * @throws IllegalArgumentException if there is no block, or if something is no request; it names the first lines
     *     that are not
     */
    public static Survey of(Trace trace, long most) throws IOException, InterruptedException {
        List<String> named = new ArrayList<>();
        long broken = 0;
        long requests = 0;
        long blocks = 0;
        long first = 0;
        long last = 0;
        try (Requests reading = trace.open()) {
            while (requests < most) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                try {
                    TraceRequest request = reading.next();
                    if (request == null) {
                        break;
                    }
                    first = requests == 0 ? request.timestampMillis() : first;
                    last = request.timestampMillis();
                    requests++;
                    blocks += request.blocks();
                } catch (Requests.BrokenLineException e) {
                    broken++;
                    if (named.size() < NAMED) {
                        named.add(String.valueOf(e.getMessage()));
                    }
                }
            }
            refuse(trace, blocks, named, broken);
            return new Survey(trace.source(), requests, blocks, (last - first) / MILLIS, reading.skipped());
        }
    }

    private static void refuse(Trace trace, long blocks, List<String> named, long broken) {
        if (broken > 0) {
            String more = broken > named.size() ? "\n... and " + (broken - named.size()) + " more" : "";
            throw new IllegalArgumentException("--trace: lines that are no requests: " + broken
                    + "; repair them, or leave them out with --skip-broken\n" + String.join("\n", named) + more);
        }
        if (blocks == 0) {
            throw new IllegalArgumentException("--trace: there is no request with blocks in " + trace.source());
        }
    }

    /** One line, for people. */
    public String text() {
        String skipped = skippedLines == 0 ? "" : ", " + skippedLines + " broken lines left out";
        return String.format(
                Locale.ROOT, "%s: %,d requests of %,d blocks in %,.0f s%s", source, requests, blocks, seconds, skipped);
    }
}
