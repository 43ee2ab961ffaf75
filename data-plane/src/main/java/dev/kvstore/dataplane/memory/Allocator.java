package dev.kvstore.dataplane.memory;

/** Hands out off-heap memory. Thread-safe. */
@FunctionalInterface
public interface Allocator {
    /**
     * Memory of undefined content, with one reference that the caller gives back.
     *
     * @param length bytes, 1 or more
     * @throws MemoryExhaustedException if there is none, even after a wait
     */
    BlockMemory allocate(int length) throws MemoryExhaustedException;

    /**
     * An allocator whose memory counts for a holder, if this one counts holders.
     *
     * @param holder the holder; equal objects share one share
     */
    default Allocator of(Object holder) {
        return this;
    }
}
