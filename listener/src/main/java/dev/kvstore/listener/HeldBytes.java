package dev.kvstore.listener;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes that several calls hold together. Thread-safe. */
public final class HeldBytes {
    private final AtomicLong bytes = new AtomicLong();

    /** A sum of 0. */
    public HeldBytes() {}

    /** Bytes held now. */
    public long bytes() {
        return bytes.get();
    }

    /**
     * Adds to the sum.
     *
     * @param more negative for bytes that are held no more
     * @return the sum
     */
    public long add(long more) {
        return bytes.addAndGet(more);
    }
}
