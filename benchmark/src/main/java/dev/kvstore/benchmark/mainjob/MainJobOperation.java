package dev.kvstore.benchmark.mainjob;

import java.io.IOException;

/** One thing that clients do again and again. */
public interface MainJobOperation {
    /** Brings the data plane into the state that is measured. Before each measurement, in one thread, not timed. */
    default void prepare() throws InterruptedException {}

    /** Does it once. Thread-safe. */
    void once(ClientSample sample) throws InterruptedException;

    /** A measurement ends early after so many bytes. */
    default long mostBytes() {
        return Long.MAX_VALUE;
    }

    /** Verifies and clears what the measurement left. After each, in one thread, not timed. */
    default void finish() throws IOException {}
}
