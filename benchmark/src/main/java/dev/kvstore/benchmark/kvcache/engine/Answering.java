package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import java.io.IOException;

/** Does for a request what an inference engine would do. Thread-safe. */
public interface Answering {
    /**
     * Answers a request.
     *
     * @param memory of the calling thread
     * @throws IOException if a tier could not read or write for it
     */
    Served serve(UserRequest request, Scratch memory) throws IOException, InterruptedException;
}
