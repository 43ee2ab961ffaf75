package dev.kvstore.benchmark.mainjob;

import java.io.IOException;

/** One thing that clients do again and again. */
@FunctionalInterface
public interface MainJobOperation {
    /** Does it once. Thread-safe. */
    void once(ClientSample sample) throws InterruptedException;

    /** Verifies and clears what measurements left, when no client is at work any more. */
    default void finish() throws IOException {}
}
