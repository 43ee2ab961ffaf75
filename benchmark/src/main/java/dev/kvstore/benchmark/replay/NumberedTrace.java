package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.trace.Requests;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.benchmark.trace.TraceRequest;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A trace in memory, as a simulator wants it: all blocks of all requests in a row, each by a number of its own, which
 * is how many others came before it.
 *
 * @param blocks from {@code ends[i - 1]} (0 for the first request) up to {@code ends[i]} those of request {@code i}
 * @param millis when each request begins, from an origin of the trace's own
 * @param distinct how many different blocks
 */
@SuppressWarnings("ArrayRecordComponent")
record NumberedTrace(int[] blocks, int[] ends, long[] millis, int distinct) {
    /** Most bytes of heap of a block while it is simulated: the entries of its number, of a cache and of a policy. */
    private static final long HEAP_BYTES = 256;

    /**
     * Reads as much as was surveyed.
     *
     * @throws IllegalArgumentException if that is more than the heap holds
     */
    static NumberedTrace read(Trace trace, Survey survey) throws IOException {
        long most = Runtime.getRuntime().maxMemory() / HEAP_BYTES;
        if (survey.blocks() > most) {
            throw new IllegalArgumentException(String.format(
                    "--trace: %,d blocks are more than the %,d that this process can simulate; use a part of them with"
                            + " --requests N",
                    survey.blocks(), most));
        }
        int[] blocks = new int[Math.toIntExact(survey.blocks())];
        int[] ends = new int[Math.toIntExact(survey.requests())];
        long[] millis = new long[ends.length];
        Map<Long, Integer> numbers = new HashMap<>();
        int end = 0;
        try (Requests requests = trace.open()) {
            for (int i = 0; i < ends.length; i++) {
                @Nullable TraceRequest request = requests.next();
                if (request == null || request.blocks() > blocks.length - end) {
                    throw new IOException(trace.source() + " has changed while it was read");
                }
                for (long id : request.hashIds()) {
                    Integer known = numbers.putIfAbsent(id, numbers.size());
                    blocks[end++] = known == null ? numbers.size() - 1 : known;
                }
                ends[i] = end;
                millis[i] = request.timestampMillis();
            }
        }
        return new NumberedTrace(blocks, ends, millis, numbers.size());
    }

    int requests() {
        return ends.length;
    }

    /** Where a request begins in the row. */
    int start(int request) {
        return request == 0 ? 0 : ends[request - 1];
    }

    int end(int request) {
        return ends[request];
    }
}
