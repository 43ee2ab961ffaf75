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
     * The same memory, counted for a holder, where that is done.
     *
     * @param holder equal for who shares a share
     */
    default Allocator of(Object holder) {
        return this;
    }
}
