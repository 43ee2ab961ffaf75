package dev.kvstore.benchmark.peers.load;

import org.jspecify.annotations.Nullable;

/**
 * What a load process is told, one line of JSON each; it answers each with a line, an {@link Answer}.
 *
 * @param operation what to measure or to verify
 * @param clients how many at a time, for {@code RUN}
 * @param leadMillis how long they run before anything counts
 * @param millis how long they are measured
 */
public record Order(Kind kind, Operation operation, int clients, long leadMillis, long millis) {
    /** What is to be done. */
    public enum Kind {
        /** Store the working set. */
        STOCK,
        /** Read, or write, and measure. */
        RUN,
        /** Compare each block of the working set, or what was written last. */
        VERIFY
    }

    /**
     * What came of it.
     *
     * @param measurement null if nothing was measured
     * @param flaw what is missing or wrong, in a sentence; null if all went well
     */
    public record Answer(
            @Nullable Measurement measurement, @Nullable String flaw) {}

    public static Order stock() {
        return new Order(Kind.STOCK, Operation.WRITE, 0, 0, 0);
    }

    public static Order verify(Operation operation) {
        return new Order(Kind.VERIFY, operation, 0, 0, 0);
    }
}
