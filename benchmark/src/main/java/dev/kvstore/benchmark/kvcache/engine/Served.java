package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.engine.PrefixCounts.ServedPrefix;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How long the parts of one request took.
 *
 * @param ioNanos of all reads and writes
 * @param prefillNanos of writing its entries; below 0 if there are none
 * @param decodeNanos of reading its entries; below 0 if there are none
 * @param prefix the part of its prompt that was stored; null unless there are blocks
 */
public record Served(
        long ioNanos,
        long prefillNanos,
        long decodeNanos,
        @Nullable ServedPrefix prefix) {
    private static final double NANOS = 1e9;

    /** Does for a request what an inference engine would do. Thread-safe. */
    @FunctionalInterface
    public interface Answering {
        /**
         * Answers a request.
         *
         * @param memory of the calling thread
         * @throws IOException if a tier could not read or write for it
         */
        Served serve(UserRequest request, Scratch memory) throws IOException, InterruptedException;
    }

    /** Counts it. */
    void count(UserRequest request, double generationSeconds, double waitSeconds, Ledger to) {
        to.tokens.add(request.generationTokens());
        to.storage.add(ioNanos / NANOS);
        to.generation.add(generationSeconds);
        if (prefillNanos >= 0) {
            to.prefill.add(prefillNanos / NANOS);
        }
        if (decodeNanos >= 0) {
            to.decode.add(decodeNanos / NANOS);
        }
        if (prefix != null) {
            to.prefixes.add(prefix, waitSeconds);
        }
    }
}
