package dev.kvstore.listener;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes that several calls hold together. Thread-safe. */
public final class HeldBytes {
    private final AtomicLong bytes = new AtomicLong();

    /** Makes a sum of 0. */
    public HeldBytes() {}

    /** The bytes that are held now. */
    public long bytes() {
        return bytes.get();
    }

    /**
     * Adds to the sum.
     *
     * @param more the bytes; negative for bytes that are held no more
     * @return the new sum
     */
    public long add(long more) {
        return bytes.addAndGet(more);
    }
}
