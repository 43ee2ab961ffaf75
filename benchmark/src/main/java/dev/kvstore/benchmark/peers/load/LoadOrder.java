package dev.kvstore.benchmark.peers.load;

import org.jspecify.annotations.Nullable;

/**
 * An order to a load process, one line of JSON; the process answers each order with a line, an {@link OrderResult}.
 *
 * @param operation the operation to measure or to verify
 * @param clients how many at a time, for {@code RUN}
 * @param leadMillis how long they run before anything counts
 * @param millis how long they are measured
 */
public record LoadOrder(OrderKind kind, PeerOperation operation, int clients, long leadMillis, long millis) {
    /** The kind of an order. */
    public enum OrderKind {
        /** Store the working set. */
        STOCK,
        /** Read, or write, and measure. */
        RUN,
        /** Compare each block of the working set, or the block that was written last. */
        VERIFY
    }

    /** An order without clients. */
    public LoadOrder(OrderKind kind, PeerOperation operation) {
        this(kind, operation, 0, 0, 0);
    }

    /**
     * The result of an order.
     *
     * @param measurement null if nothing was measured
     * @param flaw what is missing or wrong, in a sentence; null if all went well
     */
    public record OrderResult(
            @Nullable LoadMeasurement measurement, @Nullable String flaw) {}
}
